import { sqlSeconds } from '../metrics/instruments.js';
import { plainText } from './plan-each-time.js';
import { tracer } from '../traces/tracing.js';
import type { Span } from '../traces/spans.js';

/** Of a statement's text in a trace, in characters. */
const MOST_TEXT = 2000;

/**
 * The part of a statement that a trace may contain. Statements that write entities contain their values; for these the
 * trace shows only the operation and the table. The others use placeholders for values; constants in them are masked as
 * well.
 */
function tellable(text: string, hasPlaceholders: boolean): string {
  if (hasPlaceholders) return text.slice(0, MOST_TEXT).replace(/'(?:[^']|'')*(?:'|$)/g, '?');
  return /^\s*(?:insert into|update|delete from|select|\w+)(?:\s+"\w+")?/i.exec(text)?.[0].trim() ?? '';
}

function getSpan(text: string, count: number, hasPlaceholders: boolean): Span | undefined {
  const name = /^\s*(\w+)/.exec(plainText(text))?.[1]?.toLowerCase() ?? 'sql';
  return tracer()?.start(name, {
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.text': tellable(text, hasPlaceholders),
      ...(count > 1 ? { 'db.operation.batch.size': count } : {}),
    },
  });
}

/**
 * Measures statements that are sent to the database together.
 * @param text the text of the first
 * @param hasPlaceholders whether its values are separate from the text
 * @returns a function to call once they are answered, with the error if they failed
 */
export function watchStatements(text: string, count: number, hasPlaceholders: boolean): (error?: unknown) => void {
  const started = performance.now();
  const span = tracer() ? getSpan(text, count, hasPlaceholders) : undefined;
  return (error) => {
    sqlSeconds.observe((performance.now() - started) / 1000);
    span?.end(error);
  };
}

/**
 * Sends with pg's `query`, in any of its forms, and measures it. Queries that handle their own results are not
 * measured.
 * @param args the arguments of that call
 */
export function watchQuery<R>(args: readonly unknown[], send: (args: readonly unknown[]) => R): R {
  const [first, second] = args;
  const { text, values } =
    typeof first === 'string' ? { text: first, values: second } : (first as { text?: unknown; values?: unknown });
  if (typeof text !== 'string') return send(args);
  const answered = watchStatements(text, 1, Array.isArray(values) && values.length > 0);
  const last = args.findLastIndex((argument) => typeof argument === 'function');
  if (last >= 0) {
    const callback = args[last] as (error: unknown, result: unknown) => void;
    return send(
      args.with(last, (error: unknown, result: unknown) => {
        answered(error ?? undefined);
        callback(error, result);
      }),
    );
  }
  const result = send(args);
  if (result instanceof Promise) result.then(() => answered(), answered);
  return result;
}

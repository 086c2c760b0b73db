import type { Logger } from '../log/log.js';
import type { Attributes, SpanStart, Tracer } from './spans.js';

/*
 * Traces of requests, statements, jobs and git processes (decisions/0040-traces.md). Off unless the environment enables
 * them: then no part of OpenTelemetry is loaded, and the traced code pays for one comparison.
 */

let own: Tracer | null = null;

/** The tracer of this process; null while traces are off. */
export const tracer = (): Tracer | null => own;

/** Traces with this tracer from now on. */
function useTracer(newTracer: Tracer | null): void {
  own = newTracer;
}

/** The span that is under way, for the payload of a job or a header; null while traces are off. */
export const traceparent = (): string | null => own?.current()?.traceparent ?? null;

/** Runs `work` as a span, where traces are on. */
async function traced<R>(name: string, start: SpanStart, work: () => Promise<R>): Promise<R> {
  const span = own?.start(name, start);
  if (!span) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** Sends a job, or several of one kind, as a span below whatever sends them. */
export const tracedSend = <R>(queue: string, jobs: number, work: () => Promise<R>): Promise<R> =>
  traced(`send ${queue}`, { kind: 'producer', attributes: messaging(queue, 'send', jobs) }, work);

/**
 * Runs a job, or a batch of jobs, as a span.
 * @param parent the {@link traceparent} of what sent it, where its payload has one
 */
export const tracedJob = <R>(queue: string, jobs: number, parent: string | null, work: () => Promise<R>): Promise<R> =>
  own === null
    ? work()
    : traced(`process ${queue}`, { kind: 'consumer', parent, attributes: messaging(queue, 'process', jobs) }, work);

const messaging = (queue: string, operation: string, jobs: number): Attributes => ({
  'messaging.system': 'pgboss',
  'messaging.destination.name': queue,
  'messaging.operation.type': operation,
  'messaging.batch.message_count': jobs,
});

/** Whether the standard variables of OpenTelemetry enable traces. */
export function tracesAreRequested(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = env.OTEL_TRACES_EXPORTER?.trim();
  if (exporter) return exporter !== 'none';
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

/**
 * Turns traces on if the environment enables them.
 * @param role the role of this process, such as `api`
 * @throws BadSettings when a variable has an unsupported value
 */
export async function startTracing(env: NodeJS.ProcessEnv, role: string, log: Logger): Promise<void> {
  if (!tracesAreRequested(env)) return;
  const { openTelemetry } = await import('./open-telemetry.js');
  useTracer(openTelemetry(env, role, log));
}

/** Sends all remaining spans and stops tracing. */
export async function stopTracing(): Promise<void> {
  const ending = own;
  own = null;
  await ending?.stop();
}

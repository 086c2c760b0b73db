import { setImmediate as nextTurn } from 'node:timers/promises';
import { RE2JS, RE2JSException } from 're2js';
import { z } from 'zod';
import { ClientGone, Overloaded } from '../values/errors.js';
import { measureExpression } from './expression-size.js';
import { text } from '../operations/fields.js';
import { Limiter } from '../values/limiter.js';

/** Characters of an expression. */
const MAX_EXPRESSION = 256;
/** Instructions of an expression, somewhat overestimated: each character of a text may cost as many. */
const MAX_STEPS = 1000;
const MAX_WIDE_CLASSES = 10;
/** Instructions times characters: what matching against many texts may cost, half a second or so at worst. */
const MAX_WORK = 50_000_000;
/** For so long the process does nothing else. */
const SLICE_MS = 5;
/** More would wait longer than a person does. */
const WAITING_AT_MOST = 9;
const RETRY_AFTER_SECONDS = 5;

/** One expression at a time. */
const limiter = new Limiter({
  capacity: 1,
  queueLimit: WAITING_AT_MOST,
  createError: (why) => (why === 'aborted' ? new ClientGone() : new Overloaded(RETRY_AFTER_SECONDS)),
});

/** An expression is matched against more than is done for one request. */
export class TooMuchToMatch extends Error {}

/** A regular expression in RE2 syntax, whose matching time is linear in the length of the text (decision 26). */
export class Expression {
  readonly #compiled: RE2JS;

  private constructor(readonly source: string) {
    this.#compiled = RE2JS.compile(source);
  }

  /** The parsed expression, or a description of its problem. */
  static read(source: string): Expression | { problem: string } {
    if (source.length > MAX_EXPRESSION) return { problem: `is too long (maximum is ${MAX_EXPRESSION} characters)` };
    const { steps, wideClasses } = measureExpression(source);
    if (steps > MAX_STEPS || wideClasses > MAX_WIDE_CLASSES) return { problem: 'is too complex' };
    try {
      return new Expression(source);
    } catch (error) {
      if (error instanceof RE2JSException) return { problem: 'is invalid' };
      throw error;
    }
  }

  /** Whether a text of a few thousand characters contains a match; the caller limits the number of texts. */
  isIn(text: string): boolean {
    return this.#compiled.test(text);
  }

  /**
   * The records whose text contains a match, or with `whole` matches as a whole. Works in short slices, one expression
   * at a time in this process.
   * @throws TooMuchToMatch, Overloaded when too many calls are already waiting, ClientGone once `signal` is aborted
   */
  async filter<T>(
    records: readonly T[],
    textOf: (record: T) => string,
    signal: AbortSignal,
    { whole = false }: { whole?: boolean } = {},
  ): Promise<T[]> {
    const characters = records.reduce((sum, record) => sum + textOf(record).length, 0);
    if (characters * this.#compiled.programSize() > MAX_WORK) throw new TooMuchToMatch();
    const match = async () => {
      const found: T[] = [];
      let sliceEnds = performance.now() + SLICE_MS;
      for (const record of records) {
        if (performance.now() > sliceEnds) {
          await nextTurn();
          sliceEnds = performance.now() + SLICE_MS;
        }
        if (signal.aborted) throw new ClientGone();
        const text = textOf(record);
        if (whole ? this.#compiled.testExact(text) : this.#compiled.test(text)) found.push(record);
      }
      return found;
    };
    return limiter.run(match, undefined, { signal });
  }
}

/** A parameter that is a regular expression; else `regex is invalid`, `is too long` or `is too complex`. */
export const expression = () =>
  text()
    .transform((source, issues) => {
      const read = Expression.read(source);
      if (read instanceof Expression) return read;
      issues.addIssue({ code: 'custom', message: read.problem });
      return z.NEVER;
    })
    .meta({ type: 'string', format: 'regex', maxLength: MAX_EXPRESSION });

import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { asConnectionError } from './connection-errors.js';
import { Exchange } from './exchange.js';
import type { PreparedStatement, Request } from './exchange.js';
import type { Answer, Statement } from './driver/statement.js';
import { rowReader } from './row-reader.js';
import type { RowReader } from './row-reader.js';
import { isPlannedEachTime } from './plan-each-time.js';
import { WatchedClient } from './watched-client.js';
import { watchQuery, watchStatements } from './watched-statements.js';

/** How many statement texts a connection may keep prepared; later ones are sent unprepared. */
const MAX_PREPARED = 500;
/** How many texts seen once are remembered, to be prepared should they come again. */
const MAX_CANDIDATES = 1000;

export const types = new pg.TypeOverrides();
// Ids stay below 2^53 for as long as a sequence counts them one by one.
types.setTypeParser(20, Number);
types.setTypeParser(1016, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)));
// A date is a day, not an instant: no time zone may move it.
types.setTypeParser(1082, (text) => text);

// The types promise parsers of some numbers' texts; which type it is is only known when the statement runs.
const getParser = (dataTypeID: number) =>
  types.getTypeParser(dataTypeID, 'text') as unknown as (text: string) => unknown;
const getReader = (columns: Parameters<typeof rowReader>[0]): RowReader => rowReader(columns, getParser);

/**
 * A connection that prepares each statement text with parameters the second time it sees it, so that hot
 * statements are planned once and one-off texts do not pile up on the server.
 */
export class PreparingClient extends WatchedClient {
  readonly #prepared = new Map<string, PreparedStatement>();
  readonly #candidates = new LRUCache<string, true>({ max: MAX_CANDIDATES });
  /** Called with the number of statements sent. */
  onStatements: ((count: number) => void) | undefined;

  /** Runs statements in one exchange with the server and answers each, dotted columns nested. */
  runAll(statements: readonly Statement[]): Promise<Answer[]> {
    this.onStatements?.(statements.length);
    // `text` is computed on each access.
    const requests = statements.map(({ text, values }): Request => {
      return { statement: this.#statement(text) ?? { name: '', text, reader: null }, values };
    });
    const answered = watchStatements(requests[0]?.statement.text ?? '', statements.length, true);
    return new Promise((resolve, reject) => {
      this.submit(
        new Exchange(requests, getReader, (error, answers) => {
          answered(error);
          if (error) reject(asConnectionError(error) as Error);
          else resolve(answers);
        }) as unknown as pg.Submittable,
      );
    });
  }

  protected override send(args: unknown[]): unknown {
    this.onStatements?.(1);
    return watchQuery(this.#prepare(args), (own) => super.send([...own]));
  }

  #prepare(args: unknown[]): unknown[] {
    const [text, values, callback] = args;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return args;
    const name = this.#statement(text)?.name;
    return name ? [{ name, text, values, types }, callback] : args;
  }

  #statement(text: string): PreparedStatement | undefined {
    const prepared = this.#prepared.get(text);
    if (prepared || this.#prepared.size >= MAX_PREPARED) return prepared;
    if (!this.#candidates.delete(text)) {
      this.#candidates.set(text, true);
      return undefined;
    }
    // Without a name it is planned again each time, but its row reader is cached all the same.
    const name = isPlannedEachTime(text) ? '' : `capstan_${this.#prepared.size}`;
    const statement: PreparedStatement = { name, text, reader: null };
    this.#prepared.set(text, statement);
    return statement;
  }
}

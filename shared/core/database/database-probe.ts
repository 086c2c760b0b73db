import pg from 'pg';
import { databaseWork, sessionLimits } from './database-work.js';
import { WatchedClient } from './watched-client.js';

/** How long a caller of the probe waits for the database to answer, in milliseconds. */
const ANSWER_MS = 1_000;
/** A connection that takes longer to establish is available to the next probe. */
const CONNECT_MS = 5_000;

/**
 * Checks whether the database answers, on a separate connection because the pool may be full. Concurrent callers share
 * one check, and no check runs if the database has answered any statement within the last second.
 */
export class DatabaseProbe {
  #pool: pg.Pool | undefined;
  #asking: Promise<boolean> | null = null;
  #answeredAt = -Infinity;

  constructor(
    private readonly url: string,
    private readonly applicationName: string,
  ) {}

  /** Notes that it has answered something. */
  answered(): void {
    this.#answeredAt = performance.now();
  }

  /** Notes that a connection was lost: the next call checks again whether the database answers. */
  doubt(): void {
    this.#answeredAt = -Infinity;
  }

  /** Whether the database answers; resolves within a second. */
  answers(): Promise<boolean> {
    if (performance.now() - this.#answeredAt < ANSWER_MS) return Promise.resolve(true);
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Ends its connection. */
  async close(): Promise<void> {
    await this.#asking;
    await this.#pool?.end();
  }

  async #ask(): Promise<boolean> {
    const late = new Promise<false>((resolve) => {
      setTimeout(resolve, ANSWER_MS, false).unref();
    });
    const answer = this.#connection()
      // Plain SQL: whether the connection answers.
      .query('select 1')
      .then(
        () => true,
        () => false,
      );
    const isAnswered = await Promise.race([answer, late]);
    return isAnswered;
  }

  #connection(): pg.Pool {
    if (this.#pool) return this.#pool;
    this.#pool = new pg.Pool({
      connectionString: this.url,
      application_name: this.applicationName,
      max: 1,
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      ...sessionLimits(databaseWork.limits),
      Client: WatchedClient,
    } as pg.PoolConfig);
    // Without a listener a lost idle connection would end the process.
    this.#pool.on('error', () => undefined);
    return this.#pool;
  }
}

import pg from 'pg';
import type { Logger } from '../log/log.js';
import { asConnectionError } from './connection-errors.js';
import { translateOutage } from '../values/database-errors.js';
import { databaseWork, sessionLimits } from './database-work.js';
import { KEEP_ALIVE, WatchedClient } from './watched-client.js';

/** One who waits for a number of a counter. */
interface Taker {
  take(number: number | null): void;
  fail(error: unknown): void;
}

const CONNECTIONS = 2;
const WORK = databaseWork.numbers;

const TAKE = {
  name: 'numbers_take',
  // Plain SQL: on connections of its own, apart from every transaction.
  text: `insert into project_counters as c (project_id, kind, last_value)
    select p.id, $2, $3 from projects p where p.id = $1
    on conflict (project_id, kind) do update set last_value = c.last_value + excluded.last_value
    returning last_value`,
};

/**
 * Allocates the project-level numbers (`iid`) outside the transactions that use them: the counter row is locked for one
 * statement, not for the whole transaction that creates an issue, so that many users can create issues in a project at
 * the same time. Concurrent requests for the same counter are served together. A number is allocated once; if its
 * transaction fails, it is skipped.
 */
export class Numbers {
  #pool: pg.Pool | undefined;
  /** Those who came while a statement of their counter was under way. */
  readonly #waiting = new Map<string, Taker[]>();

  constructor(private readonly options: { url: string; applicationName: string; log: Logger }) {}

  /**
   * The next number of a kind of resource in a project.
   * @returns null if the project does not exist
   * @throws NoConnection, StatementTimedOut; the database's own error if the counter stays locked for too long
   */
  take(projectId: number, kind: string): Promise<number | null> {
    return new Promise((take, fail) => {
      const key = `${projectId} ${kind}`;
      const taker = { take, fail };
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(taker);
      else void this.#serve(key, projectId, kind, taker);
    });
  }

  /** Ends its connections. */
  async close(): Promise<void> {
    await this.#pool?.end();
  }

  async #serve(key: string, projectId: number, kind: string, first: Taker) {
    let takers: Taker[] | undefined = [first];
    while (takers?.length) {
      this.#waiting.set(key, []);
      // One after the other is the point: those who come meanwhile are the next ones.
      await this.#give(projectId, kind, takers);
      takers = this.#waiting.get(key);
    }
    this.#waiting.delete(key);
  }

  async #give(projectId: number, kind: string, takers: readonly Taker[]) {
    try {
      const { rows } = await this.#connections().query<{ last_value: string }>({
        ...TAKE,
        values: [projectId, kind, takers.length],
      });
      const last = rows[0] && Number(rows[0].last_value);
      takers.forEach(({ take }, index) => take(last ? last - takers.length + 1 + index : null));
    } catch (error) {
      const { code } = error as { code?: string };
      const failure = code === '55P03' ? error : translateOutage(asConnectionError(error));
      for (const { fail } of takers) fail(failure);
    }
  }

  /** Connections of its own: who takes a number holds one of the process's few, and must not wait for a second. */
  #connections(): pg.Pool {
    if (this.#pool) return this.#pool;
    this.#pool = new pg.Pool({
      connectionString: this.options.url,
      application_name: this.options.applicationName,
      max: CONNECTIONS,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: WORK.acquireTimeout,
      query_timeout: WORK.statement + WORK.acquireTimeout,
      ...sessionLimits(WORK),
      ...KEEP_ALIVE,
      Client: WatchedClient,
    } as pg.PoolConfig);
    // Without a listener a lost idle connection would end the process.
    this.#pool.on('error', (error) =>
      this.options.log.warn({ err: asConnectionError(error) }, 'numbers lost a connection'),
    );
    return this.#pool;
  }
}

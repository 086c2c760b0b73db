import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { AfterCommit } from './after-commit.js';
import { StatementCanceller } from './cancel-statements.js';
import { translateOutage } from '../values/database-errors.js';
import type { DatabaseProbe } from './database-probe.js';
import type { Answer, Statement } from './driver/statement.js';
import { leavesGood } from './held-connection.js';
import type { PooledConnection } from './held-connection.js';
import { ClientGone, NoConnection, StatementTimedOut } from '../values/errors.js';
import type { Outages } from '../log/outages.js';
import type { Asker } from './pool-limit.js';

/** The requester, and the commit state of its request. */
export interface DatabaseAsker extends Asker {
  readonly after?: AfterCommit;
  /** Time limit of a statement in a transaction, if longer than the limit of its kind of work. */
  readonly statementSeconds?: number;
}

/** What follows a commit is tried again for so long, in milliseconds: it only reads. */
const COMMITTED_MS = 30_000;
/** Between two tries of it. */
const AGAIN_MS = 100;

/** @throws NoConnection */
export async function takeConnection(pool: pg.Pool): Promise<PooledConnection> {
  try {
    return (await pool.connect()) as PooledConnection;
  } catch (cause) {
    throw new NoConnection({ cause });
  }
}

/** The error of a failed read, as reported to its caller. */
function translateRead(error: unknown, signal?: AbortSignal): unknown {
  const translated = translateOutage(error);
  return signal?.aborted && translated instanceof StatementTimedOut ? new ClientGone() : translated;
}

/** Options for statements outside of transactions. */
interface Options {
  readonly outages?: Outages;
  /** For so long what follows a commit is tried again, in milliseconds. */
  readonly committedMs?: number;
}

/** Statements outside of any transaction, on whatever connection of the pool is free. */
export class PooledStatements {
  readonly #canceller = new StatementCanceller();

  /** @param hold does something once a connection is free for an asker */
  constructor(
    private readonly pool: pg.Pool,
    private readonly probe: DatabaseProbe,
    private readonly options: Options,
    private readonly hold: <R>(asker: Asker, work: () => Promise<R>) => Promise<R>,
  ) {}

  /**
   * Runs statements together, in one exchange with the server.
   * @throws NoConnection, StatementTimedOut, ClientGone
   */
  run(statements: readonly Statement[], asker: DatabaseAsker): Promise<Answer[]> {
    const { after } = asker;
    if (after?.committed) return this.#readCommitted(statements, asker, after);
    return this.hold(asker, () => this.#read(statements, asker));
  }

  async #read(statements: readonly Statement[], { signal }: Asker): Promise<Answer[]> {
    const client = await takeConnection(this.pool);
    try {
      const results = await this.#exchange(client, statements, signal);
      client.release();
      return results;
    } catch (error) {
      client.release(leavesGood(error) && !client.lost ? undefined : (error as Error));
      throw translateRead(error, signal);
    }
  }

  async #exchange(client: PooledConnection, statements: readonly Statement[], signal?: AbortSignal): Promise<Answer[]> {
    const watch = signal && this.#canceller.watch(client, signal);
    try {
      const results = await client.runAll(statements);
      const cancelling = watch?.end();
      if (cancelling) await cancelling;
      this.probe.answered();
      if (this.options.outages?.open) this.options.outages.works('database');
      return results;
    } catch (error) {
      await watch?.end();
      throw error;
    }
  }

  /**
   * A committed change must be reported as successful: the reads for its response wait as long as necessary and are
   * retried.
   */
  async #readCommitted(statements: readonly Statement[], asker: DatabaseAsker, after: AfterCommit): Promise<Answer[]> {
    const until = performance.now() + (this.options.committedMs ?? COMMITTED_MS);
    const { signal } = asker;
    for (;;) {
      try {
        const answers = after.read((client) => this.#exchange(client, statements, signal));
        return await (answers?.catch((error: unknown) => {
          throw translateRead(error, signal);
        }) ?? this.hold(asker, () => this.#read(statements, asker)));
      } catch (error) {
        const again = error instanceof NoConnection || error instanceof StatementTimedOut;
        if (!again || performance.now() > until) throw error;
        await pause(AGAIN_MS);
      }
    }
  }
}

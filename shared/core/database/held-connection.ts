import pg from 'pg';
import { Kysely, PostgresDialect } from 'kysely';
import type { ControlledTransaction } from 'kysely';
import { CommitUnknown, NoConnection } from '../errors.js';
import { LostConnection } from './connection-errors.js';
import type { Cancellable } from './cancel-statements.js';
import type { PreparingClient } from './preparing-client.js';

/** A connection as the pool hands it out. */
export type PooledConnection = PreparingClient & pg.PoolClient & Cancellable;

/** The query builder on one connection: whatever becomes of a transaction of its own, the connection is not its own. */
const builders = new WeakMap<PooledConnection, Kysely<unknown>>();

function builderOn(client: PooledConnection): Kysely<unknown> {
  let builder = builders.get(client);
  if (!builder) {
    const query = (text: string, values: readonly unknown[]) => client.query(text, values as unknown[]);
    const lent = { query, release: () => undefined, processID: client.processID };
    const pool = { options: {}, connect: () => Promise.resolve(lent), end: () => Promise.resolve() };
    builder = new Kysely({ dialect: new PostgresDialect({ pool: pool as never }) });
    builders.set(client, builder);
  }
  return builder;
}

/** A statement that failed leaves a good connection behind; anything else may not. */
export const leavesGood = (error: unknown) => error instanceof pg.DatabaseError && error.severity === 'ERROR';

/** A connection of the pool while somebody has it, with the place that stands for it. It is given back once. */
export class HeldConnection {
  #returned = false;

  /** @param leave gives the place back */
  constructor(
    readonly client: PooledConnection,
    private readonly leave: () => void,
  ) {}

  /** Gives it back to the pool, which closes it where it is not fit for anybody else. */
  release(error?: unknown): void {
    if (this.#returned) return;
    this.#returned = true;
    this.client.allow(null);
    try {
      this.client.release(error === undefined && !this.client.lost ? undefined : true);
    } finally {
      this.leave();
    }
  }

  /** Whether it can be used after something that ran on it failed. */
  isFitAfter(error: unknown): boolean {
    return !this.client.lost && leavesGood(error);
  }

  /**
   * Runs `work` in a transaction. What begins, ends or undoes it may fail as well, and the connection is still whoever
   * has it: it is not given back here.
   * @throws CommitUnknown where nobody can say whether it was committed; NoConnection, and what `work` throws
   */
  async transaction<R>(work: (transaction: ControlledTransaction<unknown>) => Promise<R>): Promise<R> {
    const transaction = await builderOn(this.client).startTransaction().execute();
    let result: R;
    try {
      result = await work(transaction);
    } catch (error) {
      await this.#undo(transaction);
      throw error;
    }
    // What was lost before it was asked to commit is undone.
    if (this.client.lost) throw new NoConnection({ cause: new LostConnection('lost before the commit') });
    try {
      await transaction.commit().execute();
    } catch (cause) {
      if (!leavesGood(cause)) throw new CommitUnknown({ cause });
      await this.#undo(transaction);
      throw cause;
    }
    return result;
  }

  /** The server undoes by itself what it cannot be told to undo: the connection is closed then. */
  async #undo(transaction: ControlledTransaction<unknown>): Promise<void> {
    if (this.client.lost) return;
    try {
      // What else runs on it is waited for, and nothing more of it begins.
      await transaction.getExecutor().provideConnection(() => Promise.resolve());
      await transaction.rollback().execute();
    } catch {
      this.client.cut('a transaction could not be rolled back');
    }
  }
}

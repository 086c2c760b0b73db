import pg from 'pg';
import { Kysely } from 'kysely';
import type { ControlledTransaction } from 'kysely';
import { CommitUnknown, NoConnection } from '../values/errors.js';
import { LostConnection } from './connection-errors.js';
import { PooledDialect } from './driver/pooled-dialect.js';
import type { Answer, Statement } from './driver/statement.js';
import { nest } from './nest.js';
import type { Cancellable } from './cancel-statements.js';
import type { PreparingClient } from './preparing-client.js';

/** A connection as the pool hands it out. */
export type PooledConnection = PreparingClient & pg.PoolClient & Cancellable;

/** The query builder on one connection: whatever becomes of a transaction of its own, the connection is not its own. */
const builders = new WeakMap<PooledConnection, Kysely<unknown>>();

/** Runs a statement; one without values is sent as text, of which there may be several statements. */
async function runOn(client: PooledConnection, statement: Statement): Promise<Answer> {
  if (statement.values.length > 0) return (await client.runAll([statement]))[0] as Answer;
  const { rows, rowCount, fields, command } = await client.query<Record<string, unknown>>(statement.text);
  const dotted = (fields as pg.FieldDef[] | undefined)?.some(({ name }) => name.includes('.'));
  return {
    rows: dotted ? rows.map((row) => nest(row)) : (rows ?? []),
    affected: command === 'SELECT' ? undefined : (rowCount ?? undefined),
  };
}

function builderOn(client: PooledConnection): Kysely<unknown> {
  let builder = builders.get(client);
  if (!builder) {
    const lent = { run: (statement: Statement) => runOn(client, statement), release: () => undefined };
    const dialect = new PooledDialect({ ...lent, reserve: () => Promise.resolve(lent), end: () => Promise.resolve() });
    builder = new Kysely({ dialect });
    builders.set(client, builder);
  }
  return builder;
}

/** A statement that failed leaves a good connection behind; anything else may not. */
export const leavesGood = (error: unknown) => error instanceof pg.DatabaseError && error.severity === 'ERROR';

/** A connection of the pool while it is in use, with its slot. It is returned once. */
export class HeldConnection {
  #returned = false;

  /** @param leave gives the slot back */
  constructor(
    readonly client: PooledConnection,
    private readonly leave: () => void,
  ) {}

  /** Returns it to the pool, which closes it if it cannot be reused. */
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

  /** Runs a statement on it. */
  run(statement: Statement): Promise<Answer> {
    return runOn(this.client, statement);
  }

  /** Whether it can be used after something that ran on it failed. */
  isFitAfter(error: unknown): boolean {
    return !this.client.lost && leavesGood(error);
  }

  /**
   * Runs `work` in a transaction. Its begin, commit and rollback may fail as well; the caller keeps the connection,
   * which is not returned here.
   * @throws CommitUnknown if it is unknown whether it was committed; NoConnection, and any error thrown by `work`
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
    // A connection lost before its commit was sent is rolled back.
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

  /** If the rollback cannot be sent, the connection is closed, so that the server rolls back by itself. */
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

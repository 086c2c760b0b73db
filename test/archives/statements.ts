import { AsyncLocalStorage } from 'node:async_hooks';
import { Context } from '../../shared/core/context/context.js';
import { PooledDriver } from '../../shared/core/database/driver/pooled-driver.js';
import type { Statement } from '../../shared/core/database/driver/statement.js';
import { asStatement } from '../../shared/core/database/compile.js';
import type { OperationNodeSource } from 'kysely';

type Before = (text: string) => void | Promise<void>;

/** The callback that runs before each statement of the observed work. */
const watching = new AsyncLocalStorage<Before>();

const { acquireConnection } = PooledDriver.prototype;
PooledDriver.prototype.acquireConnection = async function acquire() {
  const connection = await acquireConnection.call(this);
  const { executeQuery } = connection;
  connection.executeQuery = async function execute(query) {
    await watching.getStore()?.(query.sql);
    return executeQuery.call(this, query) as never;
  };
  return connection;
};

const { query } = Context.prototype;
Context.prototype.query = async function ask<T>(this: Context, statement: OperationNodeSource | Statement) {
  // Within a transaction it goes to a connection as all others do.
  if (!this.inTransaction) await watching.getStore()?.(asStatement(statement).text);
  return query.call(this, statement) as Promise<T[]>;
};

/** Does some work, and calls `before` before each statement that it sends to the database: what it throws, the statement fails with. */
export const watchStatements = <R>(before: Before, work: () => Promise<R>): Promise<R> => watching.run(before, work);

/** Runs work whose process simulates a crash after a number of statements. @returns whether it crashed */
export async function dieAfter(statements: number, work: () => Promise<unknown>): Promise<boolean> {
  let sent = 0;
  const count = () => {
    sent += 1;
    if (sent > statements) throw new Error('killed');
  };
  return watchStatements(count, work).then(
    () => false,
    () => true,
  );
}

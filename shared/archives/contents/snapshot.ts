import type { Expression, OperationNodeSource } from 'kysely';
import type pg from 'pg';
import type { Context } from '../../core/context/context.js';
import { asConnectionError } from '../../core/database/connection-errors.js';
import { databaseWork, sessionLimits } from '../../core/database/database-work.js';
import { translateOutage } from '../../core/values/database-errors.js';
import type { Queryable } from '../../core/database/database.js';
import { types } from '../../core/database/preparing-client.js';
import { KEEP_ALIVE, WatchedClient } from '../../core/database/watched-client.js';
import { NoConnection } from '../../core/values/errors.js';
import type { Statement } from '../../core/database/driver/statement.js';
import { asStatement } from '../../core/database/compile.js';

/** A host that swallows packets is not waited for longer, in milliseconds. */
const CONNECT_MS = 10_000;

/** The database as of the time of the snapshot, regardless of later changes. */
class Snapshot implements Queryable {
  constructor(
    private readonly client: pg.Client,
    private readonly signal: AbortSignal,
  ) {}

  async query<T>(statement: Statement | OperationNodeSource): Promise<T[]> {
    this.signal.throwIfAborted();
    const { text, values } = asStatement(statement);
    const pending = this.client.query({ text, values: [...values] });
    const { rows } = await pending.catch((error: unknown) => {
      throw translateOutage(error);
    });
    return rows as T[];
  }
}

/** The rows of a typed query, in a snapshot. */
export const snapshotRows = <Row>(snapshot: Queryable, query: Expression<Row>): Promise<Row[]> =>
  snapshot.query<Row>(query);

/**
 * Reads from one consistent snapshot, in one read-only transaction on a connection of its own: an export may take long,
 * and must not keep the connections of the pool from other jobs.
 * @throws NoConnection, the reason of the context's signal
 */
export async function inSnapshot<R>(ctx: Context, read: (snapshot: Queryable) => Promise<R>): Promise<R> {
  const client = new WatchedClient({
    connectionString: ctx.services.db.url,
    ...sessionLimits(databaseWork.worker),
    ...KEEP_ALIVE,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'capstan export',
    types,
  });
  // What breaks the connection fails the statement that is being waited for, or the next one.
  client.on('error', (error) => ctx.log.warn({ err: asConnectionError(error) }, 'snapshot.connection'));
  try {
    await client.connect();
  } catch (cause) {
    throw new NoConnection({ cause });
  }
  try {
    // Plain SQL: a transaction on a connection of its own.
    await client.query('begin isolation level repeatable read, read only');
    return await read(new Snapshot(client, ctx.signal));
  } finally {
    await client.end();
  }
}

import pg from 'pg';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { EntityCaseNamingStrategy } from '@mikro-orm/core';
import type { EntityData, EntityName, EntitySchema, FilterQuery } from '@mikro-orm/core';
import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { StatementCanceller } from './cancel-statements.js';
import type { Cancellable } from './cancel-statements.js';
import { translateOutage } from './database-errors.js';
import type { DatabaseWork } from './database-work.js';
import { sessionLimits } from './database-work.js';
import { watchPool } from '../metrics/pools.js';
import { ClientGone, NoConnection, StatementTimedOut } from '../errors.js';
import { ITSELF, Places } from '../places.js';
import type { Asker } from '../places.js';
import { PreparingClient, types } from './preparing-client.js';
import type { Sql } from '../sql.js';
import { nest } from '../sql.js';

export type { EntityManager };

/** Writes single rows by their entities, each call with one statement that runs at once (decision 4). */
export interface RowWriter extends Pick<EntityManager, 'insert' | 'upsert' | 'nativeDelete'> {
  /** A column that may be undefined is refused by its type: it would be stored as null. */
  nativeUpdate<Row extends object, Data extends EntityData<Row>>(
    entity: EntityName<Row>,
    where: FilterQuery<NoInfer<Row>>,
    data: Data & { [Column in keyof Data]: Exclude<Data[Column], undefined> },
  ): Promise<number>;
}

/** Keeps nothing back that a later moment would have to write. */
class DirectEntityManager extends EntityManager {
  override flush(): Promise<void> {
    return Promise.reject(new Error('Nothing is flushed: rows are written by calls that take effect at once.'));
  }
}

class KeepNames extends EntityCaseNamingStrategy {
  override classToTableName(entityName: string, tableName?: string): string {
    return tableName ?? super.classToTableName(entityName);
  }
}

export interface DatabaseOptions {
  url: string;
  entities: EntitySchema[];
  /** What its statements may cost. */
  work: DatabaseWork;
  /** Connections at most. */
  poolSize?: number;
  applicationName?: string;
  onError: (error: Error) => void;
}

/** Something that runs a statement and answers its rows: the pool, or a transaction. */
export interface Queryable {
  query<T>(statement: Sql): Promise<T[]>;
}

/** Making a connection takes a moment only: a host that swallows packets must not hold requests. */
const CONNECT_MS = 10_000;

type Connection = PreparingClient & pg.PoolClient & Cancellable;

/** @throws NoConnection */
async function connectionOf(pool: pg.Pool): Promise<Connection> {
  try {
    return (await pool.connect()) as unknown as Connection;
  } catch (cause) {
    throw new NoConnection({ cause });
  }
}

/** One pool, the ORM on top of it, and plain statements beside it. */
export class Database implements Queryable {
  readonly #canceller = new StatementCanceller();
  readonly #unwatch: () => void;

  private constructor(
    readonly orm: MikroORM,
    readonly pool: pg.Pool,
    readonly url: string,
    private readonly places: Places,
    private readonly counter: { statements: number },
  ) {
    this.#unwatch = watchPool(() => ({ total: pool.totalCount, idle: pool.idleCount, waiting: places.waiting }));
  }

  /** Statements sent so far by this process, for the budget that tests hold each route to. */
  get statements(): number {
    return this.counter.statements;
  }

  /** How many requests wait for a connection. */
  get waiting(): number {
    return this.places.waiting;
  }

  static async connect(options: DatabaseOptions): Promise<Database> {
    const { work, poolSize = 10 } = options;
    const pool = new pg.Pool({
      connectionString: options.url,
      ...sessionLimits(work),
      max: poolSize,
      // A schedule of every minute must not pay for a new connection each time.
      min: 2,
      application_name: options.applicationName ?? 'capstan',
      idleTimeoutMillis: 30_000,
      // Who waits longer for a place also waits longer for what the place is for.
      connectionTimeoutMillis: Math.max(CONNECT_MS, options.work.patience),
      Client: PreparingClient,
      types,
    } as pg.PoolConfig);
    // Both kinds of event end the process when nobody listens: a database restart must not.
    pool.on('error', options.onError);
    const counter = { statements: 0 };
    pool.on('connect', (client) => {
      client.on('error', options.onError);
      (client as unknown as PreparingClient).onStatements = (count) => {
        counter.statements += count;
      };
    });
    const kysely = new Kysely<unknown>({
      dialect: new PostgresDialect({
        pool: { options: pool.options, connect: () => connectionOf(pool), end: () => pool.end() },
      }),
    });
    const orm = await MikroORM.init({
      driverOptions: kysely,
      dbName: new URL(options.url).pathname.slice(1),
      entities: options.entities,
      discovery: { warnWhenNoEntities: false, checkDuplicateFieldNames: true },
      // Columns carry their property's name: nothing is renamed on the way through.
      namingStrategy: KeepNames,
      entityManager: DirectEntityManager,
      // Else a second upsert of a row would change an object in memory and wait for a flush.
      disableIdentityMap: true,
      forceUtcTimezone: true,
      allowGlobalContext: false,
    });
    const most = Math.max(Math.floor(poolSize * work.callerShare), 1);
    return new Database(orm, pool, options.url, new Places(poolSize, most, work.patience), counter);
  }

  /** Runs one statement outside any transaction; dotted column names come back as nested objects. */
  async query<T>(statement: Sql): Promise<T[]> {
    return (await this.queryAll([statement]))[0] as T[];
  }

  /**
   * Runs statements together, in one exchange with the server, and answers the rows of each.
   * @param asker for whom; when its signal is aborted, they are ended
   * @throws NoConnection, StatementTimedOut, ClientGone
   */
  queryAll(statements: readonly Sql[], asker = ITSELF): Promise<unknown[][]> {
    return this.holdPlace(asker, () => this.#read(statements, asker));
  }

  /**
   * Does something on one connection of the pool, once there is one for this caller. Whatever uses the pool goes
   * through here, so that whoever has a place finds a connection.
   * @throws NoConnection, ClientGone
   */
  async holdPlace<R>(asker: Asker, work: () => Promise<R>): Promise<R> {
    const waiting = this.places.take(asker);
    if (waiting) await waiting;
    try {
      return await work();
    } finally {
      this.places.leave(asker);
    }
  }

  /**
   * Runs `work` in a transaction, committed when it returns, on one connection of the pool.
   * @throws NoConnection, ClientGone
   */
  transaction<R>(asker: Asker, work: (em: EntityManager) => Promise<R>): Promise<R> {
    const em = this.orm.em.fork();
    return this.holdPlace(asker, () =>
      em.getConnection().transactional((transaction) => {
        em.setTransactionContext(transaction);
        return work(em);
      }),
    );
  }

  async #read(statements: readonly Sql[], { signal }: Asker): Promise<unknown[][]> {
    const client = await connectionOf(this.pool);
    const watch = signal && this.#canceller.watch(client, signal);
    try {
      const results = await client.readAll(statements);
      const cancelling = watch?.end();
      if (cancelling) await cancelling;
      client.release();
      return results;
    } catch (error) {
      await watch?.end();
      // A statement that failed leaves a good connection behind; anything else may not.
      client.release(error instanceof pg.DatabaseError && error.severity === 'ERROR' ? undefined : (error as Error));
      const translated = translateOutage(error);
      throw signal?.aborted && translated instanceof StatementTimedOut ? new ClientGone() : translated;
    }
  }

  async close(): Promise<void> {
    this.#unwatch();
    await this.orm.close(true);
    // The ORM's client ends the pool with it; a pool that was never used is ended here.
    if (!this.pool.ended) await this.pool.end();
  }
}

/** Runs a statement on the transaction of an entity manager. */
export async function queryInTransaction<T>(em: EntityManager, statement: Sql): Promise<T[]> {
  const transaction = em.getTransactionContext<Kysely<unknown>>();
  if (!transaction) throw new Error('No transaction is open.');
  const { rows } = await transaction.executeQuery<Record<string, unknown>>(
    CompiledQuery.raw(statement.text, [...statement.values]),
  );
  return rows.map((row) => nest<T>(row));
}

/** The unique constraint or index that a statement ran into, by its name; null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && typeof constraint === 'string' ? constraint : null;
}

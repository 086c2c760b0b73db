import pg from 'pg';
import { CompiledQuery, sql } from 'kysely';
import type { Kysely, OperationNodeSource } from 'kysely';
import { EntityCaseNamingStrategy } from '@mikro-orm/core';
import type { EntityData, EntityName, EntitySchema, FilterQuery } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DatabaseProbe } from './database-probe.js';
import type { DatabaseWork } from './database-work.js';
import { sessionLimits } from './database-work.js';
import { HeldConnection } from './held-connection.js';
import type { Outages } from '../log/outages.js';
import { currentReads } from './driver/current-reads.js';
import { PooledDialect } from './driver/pooled-dialect.js';
import type { ConnectionSource, ReservedConnection } from './driver/pooled-driver.js';
import type { Answer, Statement } from './driver/statement.js';
import { watchPool } from '../metrics/pools.js';
import { ITSELF, PoolLimit } from './pool-limit.js';
import type { Asker } from './pool-limit.js';
import { PreparingClient, types } from './preparing-client.js';
import { KEEP_ALIVE } from './watched-client.js';
import { asStatement } from './compile.js';
import { takeConnection, PooledStatements } from './pooled-statements.js';
import type { DatabaseAsker } from './pooled-statements.js';

export type { EntityManager };

/** MikroORM's own entity manager, with stricter types for values that would silently be stored as null. */
export interface ContextEntityManager extends EntityManager {
  /** A column that may be undefined is rejected by its type: it would be stored as null. */
  nativeUpdate<Row extends object, Data extends EntityData<Row>>(
    entity: EntityName<Row>,
    where: FilterQuery<NoInfer<Row>>,
    data: Data & { [Column in keyof Data]: Exclude<Data[Column], undefined> },
  ): Promise<number>;
}

class KeepNames extends EntityCaseNamingStrategy {
  override classToTableName(entityName: string, tableName?: string): string {
    return tableName ?? super.classToTableName(entityName);
  }

  override joinKeyColumnName(propertyName: string): string {
    return propertyName;
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
  /** Making a connection may take so long, in milliseconds. */
  connectMs?: number;
  /** For so long what follows a commit is tried again, in milliseconds. */
  committedMs?: number;
  /** How much longer than the server allows it an answer may take, in milliseconds. */
  answerMarginMs?: number;
  onError: (error: Error) => void;
  /** Notified when the database answers again. */
  outages?: Outages;
}

const getApplicationName = ({ applicationName = 'capstan' }: DatabaseOptions): string => applicationName;

/** Something that runs a statement and answers its rows: the pool, or a transaction. */
export interface Queryable {
  query<T>(statement: Statement | OperationNodeSource): Promise<T[]>;
}

/** What only reads: it may share an exchange with others, in any order. */
const READS = /^\s*(?:\/\*.*?\*\/\s*)?(?:select|with)\b/i;

/** Connecting is fast: a host that drops packets must not hold up requests. */
const CONNECT_MS = 10_000;

/** One pool, the ORM on top of it, and plain statements next to the ORM. */
export class Database implements Queryable {
  readonly #statements: PooledStatements;
  readonly #unwatch: () => void;
  readonly #probe: DatabaseProbe;

  private constructor(
    readonly orm: MikroORM,
    readonly pool: pg.Pool,
    private readonly limit: PoolLimit,
    private readonly counter: { statements: number },
    private readonly options: DatabaseOptions,
  ) {
    this.#probe = new DatabaseProbe(options.url, `${getApplicationName(options)}-probe`);
    this.#statements = new PooledStatements(pool, this.#probe, options, (asker, work) => this.withSlot(asker, work));
    const doubt = () => this.#probe.doubt();
    pool.on('error', doubt);
    pool.on('connect', (client) => client.on('error', doubt));
    this.#unwatch = watchPool(() => ({ total: pool.totalCount, idle: pool.idleCount, waiting: limit.waiting }));
  }

  get url(): string {
    return this.options.url;
  }

  /** Statements sent so far by this process, for the budget that tests hold each route to. */
  get statements(): number {
    return this.counter.statements;
  }

  /** How many requests wait for a connection. */
  get waiting(): number {
    return this.limit.waiting;
  }

  static async connect(options: DatabaseOptions): Promise<Database> {
    const { work, poolSize = 10 } = options;
    const pool = new pg.Pool({
      connectionString: options.url,
      ...sessionLimits(work),
      max: poolSize,
      // A schedule of every minute must not pay for a new connection each time.
      min: 2,
      ...KEEP_ALIVE,
      answerMarginMs: options.answerMarginMs,
      application_name: getApplicationName(options),
      // Longer than the minute between recurring jobs; otherwise workers would reconnect for each of them.
      idleTimeoutMillis: 120_000,
      // Work that may wait longer for a slot may also wait longer for the connection.
      connectionTimeoutMillis: options.connectMs ?? Math.max(CONNECT_MS, options.work.acquireTimeout),
      Client: PreparingClient,
      types,
    } as pg.PoolConfig);
    // Without listeners, both kinds of event would end the process; a database restart must not.
    pool.on('error', options.onError);
    const counter = { statements: 0 };
    pool.on('connect', (client) => {
      client.on('error', options.onError);
      (client as unknown as PreparingClient).onStatements = (count) => {
        counter.statements += count;
      };
    });
    // MikroORM gets its connections from the database object created from it.
    const source: ConnectionSource = {
      run: (statement) => database.run(statement),
      reserve: () => database.reserve(),
      end: () => (pool.ended ? Promise.resolve() : pool.end()),
    };
    const orm = await MikroORM.init({
      driverOptions: new PooledDialect(source),
      dbName: new URL(options.url).pathname.slice(1),
      entities: options.entities,
      discovery: { warnWhenNoEntities: false, checkDuplicateFieldNames: true },
      // Columns carry their property's name: nothing is renamed on the way through.
      namingStrategy: KeepNames,
      // Else a second upsert of a row would change an object in memory and wait for a flush.
      upsertManaged: true,
      forceUtcTimezone: true,
      allowGlobalContext: false,
    });
    const most = Math.max(Math.floor(poolSize * work.callerShare), 1);
    const database = new Database(orm, pool, new PoolLimit(poolSize, most, work.acquireTimeout), counter, options);
    return database;
  }

  /** Runs one statement outside any transaction; dotted column names come back as nested objects. */
  async query<T>(statement: Statement | OperationNodeSource): Promise<T[]> {
    return (await this.queryAll([asStatement(statement)]))[0] as T[];
  }

  /**
   * Runs statements together in one exchange with the server, and returns the rows of each.
   * @param asker the caller that the statements run for; when its signal is aborted, they are canceled
   * @throws NoConnection, StatementTimedOut, ClientGone
   */
  async queryAll(statements: readonly Statement[], asker: DatabaseAsker = ITSELF): Promise<unknown[][]> {
    return (await this.#statements.run(statements, asker)).map(({ rows }) => rows);
  }

  /**
   * Runs one statement for MikroORM outside of a transaction, for the caller of its request: a read together with the
   * others of the request, a write by itself.
   */
  async run(statement: Statement): Promise<Answer> {
    const reads = currentReads.getStore()?.reads;
    if (reads && READS.test(statement.text)) return { rows: await reads.add(statement) };
    const [answer] = await this.#statements.run([statement], reads?.asker ?? ITSELF);
    return answer as Answer;
  }

  /** A connection for a transaction that MikroORM opens by itself. @throws NoConnection */
  async reserve(): Promise<ReservedConnection> {
    const held = await this.#hold(ITSELF);
    return { run: (statement) => held.run(statement), release: (broken) => held.release(broken || undefined) };
  }

  /**
   * The database problem that keeps the process from serving requests; null if there is none. If the database has not
   * answered within the last second, it is checked on a separate connection outside the pool, for up to a second.
   */
  async findProblem(): Promise<string | null> {
    if (this.limit.stuck) return 'All connections to the database are taken, and none comes back.';
    return (await this.#probe.answers()) ? null : 'The database did not answer.';
  }

  /**
   * Runs `work` once the pool has a free connection for this caller. All users of the pool go through this method, so
   * that the holder of a slot always finds a connection.
   * @throws NoConnection, ClientGone
   */
  async withSlot<R>(asker: Asker, work: () => Promise<R>): Promise<R> {
    const waiting = this.limit.take(asker);
    if (waiting) await waiting;
    this.#noteFree();
    try {
      return await work();
    } finally {
      this.limit.release(asker);
    }
  }

  /**
   * Runs `work` in a transaction, committed when it returns, on one connection of the pool. If the response to the
   * caller's request is still to be built, the connection is held for it.
   * @throws NoConnection, CommitUnknown, ClientGone, and the database's own errors (`translateDatabaseError`)
   */
  async transaction<R>(asker: DatabaseAsker, work: (em: EntityManager) => Promise<R>): Promise<R> {
    const { after, statementSeconds } = asker;
    const held = after?.take() ?? (await this.#hold(asker));
    let committed = false;
    try {
      const em = this.orm.em.fork();
      const result = await held.transaction(async (transaction) => {
        em.setTransactionContext(transaction);
        if (statementSeconds !== undefined) await this.#allow(held, em, statementSeconds);
        const done = await work(em);
        await em.flush();
        return done;
      });
      committed = true;
      return result;
    } finally {
      if (committed && after) after.keep(held);
      else held.release();
    }
  }

  async #allow({ client }: HeldConnection, em: EntityManager, seconds: number): Promise<void> {
    client.allow(seconds * 1000);
    // Plain SQL: a setting of the session.
    await queryInTransaction(em, asStatement(sql`select set_config('statement_timeout', ${`${seconds}s`}, true)`));
  }

  #noteFree(): void {
    if (this.options.outages?.open) this.options.outages.works('connections');
  }

  /** @throws NoConnection, ClientGone */
  async #hold(asker: Asker): Promise<HeldConnection> {
    const waiting = this.limit.take(asker);
    if (waiting) await waiting;
    this.#noteFree();
    try {
      return new HeldConnection(await takeConnection(this.pool), () => this.limit.release(asker));
    } catch (error) {
      this.limit.release(asker);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#unwatch();
    await this.#probe.close();
    await this.orm.close(true);
    // The ORM's client ends the pool with it; a pool that was never used is ended here.
    if (!this.pool.ended) await this.pool.end();
  }
}

/** Runs a statement on the transaction of an entity manager. */
export async function queryInTransaction<T>(em: EntityManager, statement: Statement): Promise<T[]> {
  const transaction = em.getTransactionContext<Kysely<unknown>>();
  if (!transaction) throw new Error('No transaction is open.');
  const { rows } = await transaction.executeQuery<Record<string, unknown>>(
    CompiledQuery.raw(statement.text, [...statement.values]),
  );
  return rows as T[];
}

/** The unique constraint or index that a statement ran into, by its name; null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && typeof constraint === 'string' ? constraint : null;
}

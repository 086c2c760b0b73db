import pg from 'pg';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { EntityCaseNamingStrategy } from '@mikro-orm/core';
import type { EntitySchema } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type { EntityManager } from '@mikro-orm/postgresql';
import { PreparingClient, types } from './preparing-client.js';
import type { Sql } from './sql.js';
import { nest } from './sql.js';

export type { EntityManager };

class KeepNames extends EntityCaseNamingStrategy {
  override classToTableName(entityName: string, tableName?: string): string {
    return tableName ?? super.classToTableName(entityName);
  }
}

export interface DatabaseOptions {
  url: string;
  entities: EntitySchema[];
  /** Connections at most. */
  poolSize?: number;
  applicationName?: string;
  onError: (error: Error) => void;
}

/** Something that runs a statement and answers its rows: the pool, or a transaction. */
export interface Queryable {
  query<T>(statement: Sql): Promise<T[]>;
}

/** One pool, the ORM on top of it, and plain statements beside it. */
export class Database implements Queryable {
  private constructor(
    readonly orm: MikroORM,
    readonly pool: pg.Pool,
    readonly url: string,
    private readonly counter: { statements: number },
  ) {}

  /** Statements sent so far by this process, for the budget that tests hold each route to. */
  get statements(): number {
    return this.counter.statements;
  }

  static async connect(options: DatabaseOptions): Promise<Database> {
    const pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize ?? 10,
      // A schedule of every minute must not pay for a new connection each time.
      min: 2,
      application_name: options.applicationName ?? 'capstan',
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: 10_000,
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
      dialect: new PostgresDialect({ pool }),
    });
    const orm = await MikroORM.init({
      driverOptions: kysely,
      dbName: new URL(options.url).pathname.slice(1),
      entities: options.entities,
      discovery: { warnWhenNoEntities: false, checkDuplicateFieldNames: true },
      // Columns carry their property's name: nothing is renamed on the way through.
      namingStrategy: KeepNames,
      forceUtcTimezone: true,
      allowGlobalContext: false,
    });
    return new Database(orm, pool, options.url, counter);
  }

  /** Runs one statement outside any transaction; dotted column names come back as nested objects. */
  async query<T>(statement: Sql): Promise<T[]> {
    return (await this.queryAll([statement]))[0] as T[];
  }

  /** Runs statements together, in one exchange with the server, and answers the rows of each. */
  async queryAll(statements: readonly Sql[]): Promise<unknown[][]> {
    const client = (await this.pool.connect()) as unknown as PreparingClient & pg.PoolClient;
    try {
      const results = await client.readAll(statements);
      client.release();
      return results;
    } catch (error) {
      // A statement that failed leaves a good connection behind; anything else may not.
      client.release(error instanceof pg.DatabaseError && error.severity === 'ERROR' ? undefined : (error as Error));
      throw error;
    }
  }

  async close(): Promise<void> {
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

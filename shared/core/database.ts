import { createHash } from 'node:crypto';
import pg from 'pg';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { EntityCaseNamingStrategy } from '@mikro-orm/core';
import type { EntitySchema } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Sql } from './sql.js';
import { nest } from './sql.js';

export type { EntityManager };

/** How many statement texts a connection may keep prepared; later ones are sent unprepared. */
const MAX_PREPARED = 500;

const types = new pg.TypeOverrides();
// Ids stay below 2^53 for as long as a sequence counts them one by one.
types.setTypeParser(20, Number);
types.setTypeParser(1016, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)));
// A date is a day, not an instant: no time zone may move it.
types.setTypeParser(1082, (text) => text);

/**
 * A connection that prepares each statement text with parameters the second time it sees it, so that hot
 * statements are planned once and one-off texts do not pile up on the server.
 */
class PreparingClient extends pg.Client {
  readonly #seen = new Map<string, string | null>();
  onStatement: (() => void) | undefined;

  // The overloads of pg's query() are many; ours forwards all of them.
  override query = ((...args: unknown[]) => {
    this.onStatement?.();
    const [text, values, callback] = args as [unknown, unknown, unknown];
    if (typeof text === 'string' && Array.isArray(values) && values.length > 0) {
      const name = this.#preparedName(text);
      if (name) return Reflect.apply(super.query, this, [{ name, text, values, types }, callback]);
    }
    return Reflect.apply(super.query, this, args);
  }) as pg.Client['query'];

  #preparedName(text: string): string | undefined {
    const known = this.#seen.get(text);
    if (known) return known;
    if (known === null) {
      const name = createHash('sha1').update(text).digest('base64url');
      this.#seen.set(text, name);
      return name;
    }
    if (this.#seen.size < MAX_PREPARED) this.#seen.set(text, null);
    return undefined;
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
      (client as unknown as PreparingClient).onStatement = () => {
        counter.statements += 1;
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
    const { rows } = await this.pool.query(statement.text, statement.values);
    return rows.map((row: Record<string, unknown>) => nest<T>(row));
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

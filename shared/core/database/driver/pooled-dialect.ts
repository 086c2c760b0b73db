import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Dialect, Kysely } from 'kysely';
import { PooledDriver } from './pooled-driver.js';
import type { ConnectionSource } from './pooled-driver.js';

/**
 * PostgreSQL for Kysely, and thus for MikroORM, over our own connections: statements outside of a transaction share
 * round trips, are prepared once they repeat, and are canceled when their request is aborted.
 */
export class PooledDialect implements Dialect {
  constructor(private readonly source: ConnectionSource) {}

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter();
  }

  createDriver(): PooledDriver {
    return new PooledDriver(this.source);
  }

  createIntrospector(db: Kysely<unknown>): PostgresIntrospector {
    // oxlint-disable-next-line typescript/no-explicit-any -- the parameter's type in Kysely's own interface
    return new PostgresIntrospector(db as Kysely<any>);
  }

  createQueryCompiler(): PostgresQueryCompiler {
    return new PostgresQueryCompiler();
  }
}

import type { Database } from '../../shared/core/database/database.js';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

const statements = new WeakMap<Database, RawBuilder<unknown>>();

async function statementFor(db: Database): Promise<RawBuilder<unknown>> {
  const tables = await db.query<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') and tablename <> 'rate_limit_counts' order by 1`);
  // A rewritten row gets another xmin and another ctid, even if its values are the same.
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::text || ' ' || coalesce(sum(hashtext(x.xmin::text || x.ctid::text)), 0) as state
         from ${name} x`,
  );
  return sql.raw(parts.join(' union all '));
}

/**
 * What every table of the database holds, as one text for each: equal when no row was written, made or removed. Requests
 * are counted against limits also where they are refused.
 */
export async function fingerprint(db: Database): Promise<Record<string, string>> {
  let statement = statements.get(db);
  if (!statement) {
    statement = await statementFor(db);
    statements.set(db, statement);
  }
  const rows = await db.query<{ name: string; state: string }>(statement);
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

/** Names of the tables that differ. */
export function changedTables(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after).filter((name) => before[name] !== after[name]);
}

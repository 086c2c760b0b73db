import { get, post, routes } from '../../../api/core/routes.js';
import { text } from '../../../shared/core/operations/fields.js';
import { instance, operation } from '../../../shared/core/operations/operation.js';
import { sql } from 'kysely';
import type { TestApp } from '../app.js';
import { eventually } from '../processes.js';

const open = {
  resource: instance,
  authentication: 'open',
  scopes: ['api', 'read_api'],
  params: { name: text() },
} as const;

/** Waits in a statement for the advisory lock of a name, twice, and marks both statements with the name. */
const waitTwice = operation({
  name: 'waitTwice',
  ...open,
  kind: 'read',
  summary: 'Wait for a lock in one statement after the other',
  async run(ctx, _instance, { name }) {
    for (const step of [1, 2])
      await ctx.query(sql`select pg_advisory_xact_lock(hashtext(${name})), ${`${name} ${step}`}::text as mark`);
    return {};
  },
});

/** Writes an unused setting, then waits for the lock. */
const writeAndWait = operation({
  name: 'writeAndWait',
  ...open,
  kind: 'write',
  summary: 'Write, and wait for a lock',
  async run(ctx, _instance, { name }) {
    await ctx.query(sql`insert into instance_settings (name, value, updated_at) values (${name}, '1', now())`);
    await ctx.query(sql`select pg_advisory_xact_lock(hashtext(${name}))`);
    return {};
  },
});

/** Routes whose statements block until {@link locked} releases the lock. */
export const slowRoutes = routes('', [get('/wait-twice', waitTwice), post('/write-and-wait', writeAndWait)]);

/** Holds the lock of a name, on a connection outside the app's, while an action runs. */
export async function locked<R>(beside: TestApp, name: string, meanwhile: () => Promise<R>): Promise<R> {
  const ctx = beside.context();
  return ctx.transaction(async () => {
    await ctx.query(sql`select pg_advisory_xact_lock(hashtext(${name}))`);
    return meanwhile();
  });
}

/** The number of connections to the app's database that currently wait for a lock. */
async function waiting(beside: TestApp): Promise<number> {
  const [row] = await beside.services.db.query<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`);
  return row?.count ?? 0;
}

/** Resolves once so many connections wait for a lock. */
export function waitingFor(beside: TestApp, count: number): Promise<boolean> {
  return eventually(async () => (await waiting(beside)) === count);
}

/** Whether a write of that name was committed. */
export async function written(beside: TestApp, name: string): Promise<boolean> {
  const rows = await beside.services.db.query(sql`select 1 as found from instance_settings where name = ${name}`);
  return rows.length > 0;
}

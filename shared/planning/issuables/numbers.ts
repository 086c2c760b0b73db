import type { Context } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import { sql } from '../../core/sql.js';

const LAST = 2 ** 31 - 1;

/**
 * The next number of a kind of things in a project, given out once. Whoever wants one too waits until the transaction
 * ends, so that none is left out.
 * @throws Invalid when there is none left
 */
export async function nextNumber(ctx: Context, projectId: number, kind: string): Promise<number> {
  const row = await ctx.queryOne<{ last_value: number }>(sql`
    insert into project_counters (project_id, kind, last_value) values (${projectId}, ${kind}, 1)
    on conflict (project_id, kind) do update set last_value = project_counters.last_value + 1
    returning last_value as "last_value"`);
  const iid = row?.last_value ?? 0;
  if (iid > LAST) throw new Invalid({ iid: ['must be less than or equal to 2147483647'] });
  return iid;
}

/** A number that somebody chose: those that are given out later are above it. */
export async function noteNumber(ctx: Context, projectId: number, kind: string, iid: number): Promise<void> {
  await ctx.query(sql`
    insert into project_counters (project_id, kind, last_value) values (${projectId}, ${kind}, ${iid})
    on conflict (project_id, kind) do update set last_value = greatest(project_counters.last_value, excluded.last_value)`);
}

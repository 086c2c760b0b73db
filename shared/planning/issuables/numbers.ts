import type { Context } from '../../core/context.js';
import { Invalid, NotFound } from '../../core/errors.js';
import { sql } from '../../core/sql.js';

const LAST = 2 ** 31 - 1;

/**
 * The next number of a kind of things in a project, given out once, or one that somebody chose: those that are given out
 * later are above it. Whoever wants one too waits until the transaction ends, so that none is left out; the project
 * stays until then.
 * @throws NotFound when the project was removed meanwhile
 * @throws Invalid when there is no number left
 */
export async function takeNumber(ctx: Context, projectId: number, kind: string, chosen?: number): Promise<number> {
  const next =
    chosen === undefined
      ? sql`project_counters.last_value + 1`
      : sql`greatest(project_counters.last_value, excluded.last_value)`;
  const row = await ctx.queryOne<{ last_value: number }>(sql`
    insert into project_counters (project_id, kind, last_value)
    select p.id, ${kind}, ${chosen ?? 1}::bigint from projects p where p.id = ${projectId} for key share
    on conflict (project_id, kind) do update set last_value = ${next}
    returning last_value as "last_value"`);
  if (!row) throw new NotFound('Project');
  const iid = chosen ?? row.last_value;
  if (iid > LAST) throw new Invalid({ iid: [`must be less than or equal to ${LAST}`] });
  return iid;
}

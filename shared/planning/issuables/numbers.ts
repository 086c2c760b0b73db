import type { Context } from '../../core/context.js';
import { Invalid, NotFound } from '../../core/errors.js';
import { sql } from '../../core/sql.js';

const LAST = 2 ** 31 - 1;

/** A number that somebody chose, held until the transaction ends; those that are given out later are above it. */
async function choose(ctx: Context, projectId: number, kind: string, chosen: number): Promise<number | null> {
  const row = await ctx.queryOne<object>(sql`
    insert into project_counters (project_id, kind, last_value)
    select p.id, ${kind}, ${chosen}::bigint from projects p where p.id = ${projectId} for key share
    on conflict (project_id, kind) do update
      set last_value = greatest(project_counters.last_value, excluded.last_value)
    returning last_value`);
  return row && chosen;
}

/**
 * The next number of a kind of things in a project, given out once, or one that somebody chose. The next one is taken
 * apart from the open transaction (`Numbers`): where that fails, the number is left out.
 * @throws NotFound when the project was removed meanwhile
 * @throws Invalid when there is no number left
 */
export async function takeNumber(ctx: Context, projectId: number, kind: string, chosen?: number): Promise<number> {
  const iid = await (chosen === undefined
    ? ctx.services.numbers.take(projectId, kind)
    : choose(ctx, projectId, kind, chosen));
  if (iid === null) throw new NotFound('Project');
  if (iid > LAST) throw new Invalid({ iid: [`must be less than or equal to ${LAST}`] });
  return iid;
}

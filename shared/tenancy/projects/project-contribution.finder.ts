import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { today } from '../access/access.js';

/** Projects that a user contributed to within the last year, as a condition on `p`. */
export function contributedBy(ctx: Context, userId: number): Fragment {
  return sql`p.id in (
    select c.project_id from project_contributions c
     where c.user_id = ${userId} and c.contributed_on > ${today(ctx)}::date - interval '1 year')`;
}

/**
 * Notes that the caller changed the repository of a project. Once a day: all later changes of that day would wait
 * for each other at one row, to say the same.
 */
export async function noteContribution(ctx: Context, project: { id: number }): Promise<void> {
  if (ctx.caller.anonymous) return;
  const { id: userId } = ctx.caller;
  const on = today(ctx);
  await ctx.query(sql`
    insert into project_contributions (project_id, user_id, contributed_on)
    select ${project.id}, ${userId}, ${on}::date
     where not exists (select 1 from project_contributions c
                        where c.project_id = ${project.id} and c.user_id = ${userId} and c.contributed_on = ${on}::date)
    on conflict (project_id, user_id) do update set contributed_on = excluded.contributed_on`);
}

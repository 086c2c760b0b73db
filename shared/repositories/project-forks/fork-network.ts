import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** Whether two projects come from one, over however many forks: then commits go from one to the other. */
export async function areRelated(ctx: Context, oneId: number, otherId: number): Promise<boolean> {
  const row = await ctx.queryOne(sql`
    with recursive line (first_id, id, forked_from_id) as (
      select p.id, p.id, p.forked_from_id from projects p where p.id in (${oneId}, ${otherId})
      union select l.first_id, p.id, p.forked_from_id from line l join projects p on p.id = l.forked_from_id)
    select 1 as "found" from line one join line other on other.id = one.id
     where one.first_id = ${oneId} and other.first_id = ${otherId} limit 1`);
  return row !== null;
}

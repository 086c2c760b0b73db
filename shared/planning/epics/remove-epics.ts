import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/**
 * Removes some epics of an author who is removed with all that they wrote; what was below them stays.
 * @returns whether there may be more
 */
export async function removeEpicsOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone = await ctx.query(sql`
    delete from epics d where d.id in (
      select i.id from epics i where i.author_id = ${userId} order by i.id limit ${limit} for update)
    returning d.id`);
  return gone.length === limit;
}

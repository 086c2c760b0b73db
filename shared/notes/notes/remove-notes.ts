import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/**
 * Removes some notes of an author who is removed with all that they wrote.
 * @returns whether there may be more
 */
export async function removeNotesOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone = await ctx.query(sql`
    delete from notes d where d.id in (
      select n.id from notes n where n.author_id = ${userId} and not n.system order by n.id limit ${limit} for update)
    returning d.id as "id"`);
  return gone.length === limit;
}

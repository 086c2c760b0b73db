import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/**
 * Removes some snippets of an author who is removed with all that they wrote; their repositories go with them.
 * @returns whether there may be more
 */
export async function removeSnippetsOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone = await ctx.query(sql`
    delete from snippets d where d.id in (
      select s.id from snippets s where s.author_id = ${userId} order by s.id limit ${limit} for update)
    returning d.id`);
  return gone.length === limit;
}

import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { followOpenMergeRequests } from './open-merge-requests-count.js';

/**
 * Removes some merge requests of an author who is removed with all that they wrote.
 * @returns whether there may be more
 */
export async function removeMergeRequestsOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone = await ctx.query<{ project_id: number; state: string }>(sql`
    delete from merge_requests d where d.id in (
      select i.id from merge_requests i where i.author_id = ${userId} order by i.id limit ${limit} for update)
    returning d.project_id as "project_id", d.state as "state"`);
  await followOpenMergeRequests(ctx, gone, []);
  return gone.length === limit;
}

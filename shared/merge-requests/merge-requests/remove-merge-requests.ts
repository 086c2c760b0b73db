import type { Context } from '../../core/context/context.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { updateOpenMergeRequestCounts } from './open-merge-requests-count.js';

/**
 * Deletes a batch of merge requests of an author who is removed together with all contributions.
 * @returns whether there may be more
 */
export async function removeMergeRequestsOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .deleteFrom('merge_requests')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('merge_requests as i')
        .select('i.id')
        .where('i.author_id', '=', userId)
        .orderBy('i.id')
        .limit(limit)
        .forUpdate(),
    )
    .returning(['project_id', 'state'])
    .execute();
  await updateOpenMergeRequestCounts(ctx, gone, []);
  return gone.length === limit;
}

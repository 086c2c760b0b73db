import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { mergeRequest } from '../merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import { updateOpenMergeRequestCounts } from '../merge-requests/open-merge-requests-count.js';

async function remove(ctx: Context, found: MergeRequestRecord): Promise<void> {
  ctx.record({ type: 'merge_request.deleted', merge_request: found, project: found.project });
  // Subscribers read the dependent records while they still exist.
  await ctx.publishRecorded();
  if ((await ctx.em.nativeDelete(MergeRequest, { id: found.id })) === 0) throw new NotFound();
  await updateOpenMergeRequestCounts(ctx, [found], []);
}

/** Delete a merge request: Owners of the project (core-resources.md section 7). Its commits stay in git. */
export const deleteMergeRequest = operation({
  name: 'deleteMergeRequest',
  summary: 'Delete a merge request',
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'destroy_merge_request'),
  kind: 'write',
  conditional: true,
  run: remove,
});

import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { isAncestor, resolveCommit } from '../../git/index.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import { findRef } from '../../repositories/repositories/repository-ref.finder.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import { lockForJob } from '../merge-request-versions/refresh-version.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import { markMerged } from './mark-merged.js';
import { finishMerge, removeSourceBranches } from '../merge-requests.jobs.js';
import { MERGE_PURPOSE } from './perform-merge.js';
import type { MergeNote } from './perform-merge.js';

/** Has merges finished that ended between git's move and the commit. */
export async function finishInterruptedMerges(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'repository.move_left'>[],
): Promise<void> {
  const notes = events.flatMap(({ purpose }) => (purpose.of === MERGE_PURPOSE ? [purpose.data as MergeNote] : []));
  await ctx.jobs.sendAll(finishMerge, notes);
}

/** Whether the target branch contains the result of the merge. */
async function hasLanded(ctx: Context, request: MergeRequest, sha: string): Promise<boolean> {
  const target = await findRef(ctx, request.project_id, `refs/heads/${request.target_branch}`);
  if (!target) return false;
  if (target.target_sha === sha) return true;
  const repository = openRepository(ctx, { id: request.project_id });
  // Of a merge that git never made the commit may be cleaned up.
  return (await resolveCommit(repository, sha)) !== null && isAncestor(repository, sha, target.target_sha);
}

/**
 * Records a merge that is in git but not in the database, because its process ended in between: as the user who merged,
 * with the commits of the merge. Does nothing if git never moved the refs, or if the merge is already recorded.
 */
export async function finishLeftMerge(ctx: Context, note: MergeNote): Promise<void> {
  const { merge_request_id: id, user_id: userId, ...outcome } = note;
  const acting = (await actAsUser(ctx, userId)) ?? ctx;
  await acting.transaction(async () => {
    const request = await lockForJob(acting, id);
    if (!request) return;
    // A job that saw its commits in the target branch may have come first, and does not know who merged how.
    const noted = request.state === 'merged' && !request.merge_user_id && request.merged_commit_sha !== null;
    if (request.state !== 'opened' && !noted) return;
    if (!(await hasLanded(acting, request, outcome.merged_commit_sha))) return;
    if (noted) {
      await acting.em.nativeUpdate(MergeRequest, { id }, { ...outcome, merge_user_id: userId });
      return;
    }
    const { project, ...row } = request;
    await markMerged(acting, row, project, { ...outcome, merge_user_id: userId });
    const { source_project_id: sourceId = null, source_branch: branch, head_sha: sha } = request;
    if (outcome.should_remove_source_branch && sourceId !== null && sha)
      await acting.jobs.send(removeSourceBranches, { project_id: sourceId, branch, sha, user_id: userId });
  });
}

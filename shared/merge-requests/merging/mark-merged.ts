import type { Context } from '../../core/context/context.js';
import type { ProjectSummary } from '../../tenancy/tenancy.events.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import { updateOpenMergeRequestCounts } from '../merge-requests/open-merge-requests-count.js';

/** The commits that result from a merge. */
export interface MergeOutcome {
  readonly merged_commit_sha: string;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
  readonly should_remove_source_branch: boolean;
}

/** Marks a locked merge request as merged by a user, and records the event. */
export async function markMerged(
  ctx: Context,
  before: MergeRequest,
  project: ProjectSummary,
  { merge_user_id, ...outcome }: MergeOutcome & { readonly merge_user_id: number },
): Promise<void> {
  const now = ctx.clock.now();
  const values = {
    ...outcome,
    state: 'merged',
    merge_user_id,
    merged_at: now,
    updated_at: now,
    merge_error: null,
    auto_merge_enabled: false,
    auto_merge_strategy: null,
    merge_params: null,
    in_progress_merge_commit_sha: null,
    locked_at: null,
  };
  await ctx.em.nativeUpdate(MergeRequest, { id: before.id }, values);
  await updateOpenMergeRequestCounts(ctx, [before], [{ project_id: before.project_id, state: 'merged' }]);
  ctx.record({ type: 'merge_request.merged', merge_request: { ...before, ...values }, project });
}

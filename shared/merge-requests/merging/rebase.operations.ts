import { aboutProject } from '../../core/values/job-context.js';
import type { SignedInContext } from '../../core/context/context.js';
import { Conflict, Forbidden } from '../../core/values/errors.js';
import { boolean, withDefault } from '../../core/operations/fields.js';
import { notifyPages } from '../../core/page-changes/page-changes.js';
import { can, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { findWriteRejections } from '../../repositories/repositories/ref-rules.js';
import { findRef } from '../../repositories/repositories/repository-ref.finder.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { mergeRequest } from '../merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import { rebaseMergeRequest } from '../merge-requests.jobs.js';

/** That a rebase was begun. */
export interface RebaseBegun {
  readonly rebase_in_progress: boolean;
}

export const rebaseBegun = serializer<RebaseBegun>('RebaseBegun', {
  rebase_in_progress: out.boolean((begun) => begun.rebase_in_progress),
});

/** After this time, a rebase whose job never finished no longer blocks new attempts. */
const LOST_AFTER_MS = 60 * 60_000;

/** Where the source branch lies, which the caller may rewrite. @throws Forbidden */
export async function requireSourceToRewrite(
  ctx: SignedInContext,
  request: MergeRequestRecord,
): Promise<ProjectRecord> {
  const { source_project_id: sourceId = null, source_branch: branch } = request;
  const source = sourceId === null ? null : await findVisibleProject(ctx, sourceId);
  const fullName = `refs/heads/${branch}`;
  if (!source || !(await findRef(ctx, source.id, fullName))) throw new Forbidden('Source branch does not exist');
  const [rejection] = await findWriteRejections(ctx, source, [{ fullName, move: 'forced' }]);
  if (rejection !== null) throw new Forbidden('Cannot push to source branch');
  return source;
}

/**
 * Rebases the source branch of a merge request onto its target branch in a background job. Failures are reported in
 * `merge_error`.
 */
export const rebaseMergeRequestOperation = operation({
  name: 'rebaseMergeRequest',
  summary: 'Rebase a merge request',
  resource: { ...mergeRequest, about: (record: MergeRequestRecord) => aboutProject(record.project) },
  can: can(mergeRequestPolicy, 'read_merge_request'),
  kind: 'write',
  statements: 24,
  params: {
    skip_ci: withDefault(boolean(), false).describe('If `true`, creates no pipeline for the rebased commits.'),
  },
  async run(ctx, found, { skip_ci }): Promise<RebaseBegun> {
    await requireSourceToRewrite(ctx, found);
    const now = ctx.clock.now();
    const { rebase_started_at: started = null } = found;
    const rebasing = started !== null && now.getTime() - started.getTime() < LOST_AFTER_MS;
    if (rebasing || found.state !== 'opened')
      throw new Conflict(
        'Failed to enqueue the rebase operation, possibly due to a long-lived transaction. Try again later.',
      );
    await ctx.em.nativeUpdate(MergeRequest, { id: found.id }, { rebase_started_at: now, merge_error: null });
    await notifyPages(ctx, 'merge_requests', [found.project_id]);
    const payload = { merge_request_id: found.id, user_id: ctx.caller.id, skip_ci, started_at: now.toISOString() };
    await ctx.jobs.send(rebaseMergeRequest, payload);
    return { rebase_in_progress: true };
  },
});

import type { SignedInContext } from '../../core/context/context.js';
import { Invalid, Unauthenticated } from '../../core/values/errors.js';
import { boolean, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { MergeParams, MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { findMergeRequest, mergeRequest } from '../merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import { cancelAutoMerge, setAutoMerge } from './auto-merge.js';
import { hasSucceeded, headPipelineStatus, isWaitedFor } from './head-pipeline.js';
import { mayMerge } from '../merge-requests/merge-rights.js';
import { mergeSettingsOfProject } from './merge-settings.js';
import { performMerge, requireHead, requireMergeable, requireMergeRight, upToDate } from './perform-merge.js';

interface MergeInput {
  merge_commit_message?: string | undefined;
  squash_commit_message?: string | undefined;
  squash?: boolean | undefined;
  should_remove_source_branch?: boolean | undefined;
}

function getParams(input: MergeInput): MergeParams {
  const { merge_commit_message, squash_commit_message, squash, should_remove_source_branch } = input;
  return {
    ...(merge_commit_message && { merge_commit_message }),
    ...(squash_commit_message && { squash_commit_message }),
    ...(squash !== undefined && { squash }),
    ...(should_remove_source_branch !== undefined && { should_remove_source_branch }),
  };
}

/** Merges once the pipeline succeeds: now if it did, later if it is still running. @throws Invalid 405 otherwise */
async function mergeLater(ctx: SignedInContext, request: MergeRequestRecord, params: MergeParams, sha?: string) {
  const settings = await mergeSettingsOfProject(ctx, request.project_id);
  const status = await headPipelineStatus(ctx, request);
  await requireMergeable(ctx, request, { pipeline_required: false });
  const now = hasSucceeded(status, settings);
  if (!now && !isWaitedFor(status)) throw new Invalid('405 Method Not Allowed', 405);
  requireHead(request, sha);
  return now ? performMerge(ctx, request, settings, params) : setAutoMerge(ctx, request, params);
}

/**
 * Merge a merge request according to its project's settings. 401 for callers who cannot merge, 405 if its state blocks
 * the merge (closed, a draft, without its pipeline, approvals or resolved discussions), 409 if its head is not `sha`,
 * 422 if git cannot merge it (core-resources.md section 7).
 */
export const mergeMergeRequest = operation({
  name: 'mergeMergeRequest',
  summary: 'Merge a merge request',
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  kind: 'write',
  statements: 60,
  params: {
    merge_commit_message: optional(text()).describe(
      "Message of the merge commit; created from the project's template if omitted.",
    ),
    squash_commit_message: optional(text()).describe(
      "Message of the squash commit; created from the project's template if omitted.",
    ),
    squash: optional(boolean()).describe(
      'If `true`, squashes all commits into one. The project setting takes precedence.',
    ),
    should_remove_source_branch: optional(boolean()).describe('If `true`, removes the source branch.'),
    sha: optional(text()).describe('SHA of the head that is to be merged; fails with 409 if the head has changed.'),
    auto_merge: optional(boolean()).describe('If `true`, merges once the pipeline succeeds.'),
    merge_when_pipeline_succeeds: optional(boolean()).describe('Deprecated: use `auto_merge`.'),
    skip_merge_train: optional(boolean()).describe(
      'If `true`, merges without waiting in a merge train; this service has no merge trains.',
    ),
  },
  async run(ctx, found, input): Promise<MergeRequestRecord> {
    await requireMergeRight(ctx, found);
    const request = await upToDate(ctx, found);
    const params = getParams(input);
    if (input.auto_merge === true || input.merge_when_pipeline_succeeds === true)
      return mergeLater(ctx, request, params, input.sha);
    await requireMergeable(ctx, request);
    requireHead(request, input.sha);
    return performMerge(ctx, request, await mergeSettingsOfProject(ctx, request.project_id), params);
  },
});

/** Cancel the auto-merge: callers who can merge it, and its author. */
export const cancelAutoMergeOfRequest = operation({
  name: 'cancelAutoMerge',
  summary: 'Cancel the automatic merge of a merge request',
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  kind: 'write',
  statements: 24,
  async run(ctx, found): Promise<MergeRequestRecord> {
    if (found.author_id !== ctx.caller.id && !(await mayMerge(ctx, found))) throw new Unauthenticated('missing');
    if (found.state !== 'opened') throw new Invalid('405 Method Not Allowed', 405);
    if (!found.auto_merge_enabled) throw new Invalid("Can't cancel the automatic merge", 406);
    await cancelAutoMerge(ctx, found, found.project, 'canceled');
    return findMergeRequest(ctx, found.project, found.iid);
  },
});

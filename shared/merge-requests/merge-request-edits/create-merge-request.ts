import type { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { integer, optional, presentText, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { readAssigneeIds, requireIssueValues } from '../../planning/issuables/issue-values.js';
import { assignableUsers } from '../../planning/issuables/assignable-users.js';
import { changedLabels } from '../../planning/issuables/change-labels.js';
import { chosenMilestone } from '../../planning/issuables/chosen-milestone.js';
import { mergeRequestType } from '../../planning/issuables/issuable-type.js';
import { takeNumber } from '../../planning/issuables/numbers.js';
import { setAssignees, setLabels } from '../../planning/issuables/set-people-and-labels.js';
import { countTasks } from '../../planning/issuables/task-lists.js';
import { projectDetails, getProjectSettings } from '../../tenancy/project-details/project-details.js';
import { project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import { countFilesOfVersions } from '../merge-requests.jobs.js';
import { keepVersions, readVersion } from '../merge-request-versions/read-version.js';
import { storeVersion } from '../merge-request-versions/store-version.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { findMergeRequest } from '../merge-requests/merge-request.finder.js';
import { projectMergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import { updateOpenMergeRequestCounts } from '../merge-requests/open-merge-requests-count.js';
import type { MergeRequestChange } from '../merge-requests.events.js';
import { requireBranches } from './branch-problems.js';
import { isDraftTitle, mergeRequestParams } from './merge-request-values.js';
import { setReviewers } from './set-reviewers.js';
import { loadTargetProject } from './target-of.js';

const newParams = {
  source_branch: presentText()
    .describe('Name of the source branch.')
    .meta({ examples: ['feature'] }),
  target_branch: presentText()
    .describe('Name of the target branch.')
    .meta({ examples: ['main'] }),
  title: text()
    .describe('Title of the merge request, of at most 255 characters; `Draft: …` if the merge request is not ready.')
    .meta({ examples: ['Add an engine'] }),
  target_project_id: optional(integer()).describe(
    'ID of the target project: this project, or a project that has a fork in common.',
  ),
  ...mergeRequestParams,
  approvals_before_merge: optional(integer()).describe(
    'Deprecated: number of approvals required for the merge request. Premium.',
  ),
};
type Input = z.output<z.ZodObject<typeof newParams>>;

/** Fields that only Reporters of the target can set; values from others are ignored, as in the public API. */
async function metadataFor(ctx: SignedInContext, target: ProjectRecord, input: Input) {
  const may = projectMergeRequestPolicy.set_merge_request_metadata(ctx.caller, target);
  const level = target.merge_requests_access_level;
  const users = (ids: readonly number[] | undefined) => assignableUsers(ctx, target, may ? (ids ?? []) : [], level);
  return {
    milestone: may ? await chosenMilestone(ctx, target, input.milestone_id ?? 0) : null,
    assignees: await users(readAssigneeIds(input)),
    reviewers: await users(input.reviewer_ids),
    labels: may ? await changedLabels(ctx, target, [], { labels: input.labels }) : [],
  };
}

/** Whether its commits are squashed: as requested, if the project leaves the choice. */
async function columnsByProject(ctx: SignedInContext, target: ProjectRecord, input: Input) {
  await projectDetails.fill(ctx, [target]);
  const settings = getProjectSettings(target, ctx);
  const option = settings.squash_option;
  const byDefault = option === 'always' || option === 'default_on';
  const fixed = option === 'always' || option === 'never';
  return {
    squash: fixed ? byDefault : (input.squash ?? byDefault),
    // The project's `remove_source_branch_after_merge` is only the default of the form, not of API requests.
    force_remove_source_branch: input.remove_source_branch ?? null,
    approvals_before_merge: ctx.hasPlan('premium') ? (input.approvals_before_merge ?? null) : null,
  };
}

async function insert(
  ctx: SignedInContext,
  source: ProjectRecord,
  target: ProjectRecord,
  input: Input,
  more: Partial<MergeRequest>,
): Promise<{ id: number; iid: number }> {
  const title = input.title.trim();
  const now = ctx.clock.now();
  const iid = await takeNumber(ctx, target.id, 'merge_request');
  const id = await ctx.em.insert(MergeRequest, {
    project_id: target.id,
    iid,
    source_project_id: source.id,
    source_branch: input.source_branch,
    target_branch: input.target_branch,
    title,
    description: input.description ?? null,
    state: 'opened',
    draft: isDraftTitle(title),
    author_id: ctx.caller.id,
    merge_status: 'unchecked',
    squash: false,
    allow_collaboration: input.allow_collaboration ?? input.allow_maintainer_to_push ?? false,
    auto_merge_enabled: false,
    time_estimate: 0,
    total_time_spent: 0,
    user_notes_count: 0,
    upvotes: 0,
    downvotes: 0,
    imported_from: 'none',
    created_at: now,
    updated_at: now,
    ...countTasks(input.description),
    ...more,
  });
  return { id, iid };
}

async function create(ctx: SignedInContext, source: ProjectRecord, input: Input): Promise<MergeRequestRecord> {
  const target = await loadTargetProject(ctx, source, input.target_project_id);
  requireIssueValues(input);
  const branches = {
    project_id: target.id,
    source_project_id: source.id,
    source_branch: input.source_branch,
    target_branch: input.target_branch,
  };
  const heads = await requireBranches(ctx, branches);
  const { milestone, assignees, reviewers, labels } = await metadataFor(ctx, target, input);
  const columns = { ...(await columnsByProject(ctx, target, input)), milestone_id: milestone?.id ?? null };
  // Before anything is locked: to compare the branches may take seconds.
  const read = await readVersion(ctx, branches, heads);
  const { id, iid } = await insert(ctx, source, target, input, columns);
  const ref = { id, project_id: target.id, prepared_at: null };
  await keepVersions(openRepository(ctx, target), [{ ...read, iid }]);
  const version = await storeVersion(ctx, ref, read);
  if (version.files_count === null && !version.files_overflow)
    await ctx.jobs.send(countFilesOfVersions, { version_id: version.id });
  const changes: MergeRequestChange[] = [
    ...(milestone ? [{ attribute: 'milestone', from: null, to: milestone } as const] : []),
    ...(await setLabels(ctx, mergeRequestType, ref, { before: [], after: labels })),
    ...(await setAssignees(ctx, mergeRequestType, ref, { before: [], after: assignees })),
    ...(await setReviewers(ctx, ref, { before: [], after: reviewers })),
  ];
  const request = await findMergeRequest(ctx, target, iid);
  await updateOpenMergeRequestCounts(ctx, [], [request]);
  ctx.record(
    { type: 'merge_request.created', merge_request: request, project: target, changes },
    { type: 'merge_requests.unchecked', project_id: target.id, ids: [id] },
  );
  return request;
}

/**
 * Create a merge request from a branch of this project: Developers of the project who can propose changes to the target
 * (core-resources.md section 7).
 */
export const createMergeRequest = operation({
  name: 'createMergeRequest',
  summary: 'Create a merge request',
  resource: project,
  can: can(projectMergeRequestPolicy, 'push_from'),
  kind: 'write',
  statements: 52,
  params: newParams,
  run: create,
});

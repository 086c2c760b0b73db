import { basicPipeline, fullPipeline } from '../../ci/pipelines/pipeline.serializer.js';
import type { Context } from '../../core/context/context.js';
import { MOST_DIFF_FILES } from '../../git/index.js';
import { inView, out, serializer, visibleIf } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { labelsInFull, milestonesOfIssuables } from '../../planning/issuables/issuable-loads.js';
import { taskCompletion, timeStats } from '../../planning/issuables/issuable.serializer.js';
import { referenceFrom } from '../../planning/issues/issue-references.js';
import { labelSummary } from '../../planning/labels/label-summary.serializer.js';
import { milestoneSerializer } from '../../planning/milestones/milestone.serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { firstDeployments } from './deployment-source.js';
import { DETAILED_MERGE_STATUSES, detailedMergeStatus } from './detailed-merge-status.js';
import { mergeDetails } from './merge-details.js';
import {
  assigneesOfMergeRequests,
  changedFiles,
  divergedCommits,
  headPipelines,
  labelsOfMergeRequests,
  mergeRequestSubscriptions,
  mergeRights,
  mergeSettingsOf,
  reviewersOfMergeRequests,
} from './merge-request.loads.js';
import type { ListedMergeRequest, MergeRequestRecord } from './merge-request.entity.js';
import type { Reviewer } from './merge-request.loads.js';

type Listed = ListedMergeRequest;

const referencesSerializer = serializer<Listed>('MergeRequestReferences', {
  short: out.text((request) => `!${request.iid}`),
  relative: out.text((request) => referenceFrom(request.reference_base, request.full_path, `!${request.iid}`), {
    description: 'Reference relative to the project or group of the request.',
  }),
  full: out.text((request) => `${request.full_path}!${request.iid}`),
});

const getAssignees = (request: Listed, ctx: Context) => assigneesOfMergeRequests.of(request, ctx) ?? [];
const getReviewers = (request: Listed, ctx: Context) =>
  (reviewersOfMergeRequests.of(request, ctx) ?? []).map(({ user }) => user);

/** Callers see `checking` until the merge request is prepared. */
const publicStatus = ({ merge_status: status, prepared_at }: Listed) => (prepared_at ? status : 'checking');

function getDetailedStatus(request: Listed, ctx: Context): string {
  const details = mergeDetails.of(request, ctx);
  return details ? detailedMergeStatus(details) : 'unchecked';
}

/** The project's squash option takes precedence over the merge request's own. */
function squashOnMerge(request: Listed, ctx: Context): boolean {
  const option = mergeSettingsOf.of(request, ctx)?.squash_option;
  if (option === 'always') return true;
  return option !== 'never' && request.squash;
}

/** Where the page of a merge request is. */
export const mergeRequestUrl = ({ full_path, iid }: Pick<Listed, 'full_path' | 'iid'>, ctx: Context): string =>
  `${ctx.config.externalUrl}/${full_path}/-/merge_requests/${iid}`;

const nameFields: Record<string, OutField<Listed>> = {
  id: out.integer((request) => request.id),
  iid: out.integer((request) => request.iid),
  project_id: out.integer((request) => request.project_id),
  title: out.text((request) => request.title),
  description: out.nullableText((request) => request.description ?? null),
  state: out.text((request) => request.state, { enum: ['opened', 'closed', 'locked', 'merged'] }),
  created_at: out.instant((request) => request.created_at),
  updated_at: out.instant((request) => request.updated_at),
};

const url = { web_url: out.text<Listed>(mergeRequestUrl) };

/** A merge request with `view=simple`. */
export const simpleMergeRequest = serializer<Listed>('SimpleMergeRequest', { ...nameFields, ...url });

/** Approvals that are needed come with Premium (README, plans). */
const approvals = visibleIf<Listed>((_request, ctx) => ctx.hasPlan('premium'), {
  approvals_before_merge: out.nullableInteger((request) => request.approvals_before_merge ?? null),
});

const getMerger = (request: Listed) =>
  request.state === 'merged' || request.auto_merge_enabled ? request.merge_user : null;

const fields: Record<string, OutField<Listed>> = {
  ...nameFields,
  merged_by: out.nullableRecord(userSummary, (request) => (request.state === 'merged' ? request.merge_user : null), {
    description: 'Deprecated: use `merge_user`.',
  }),
  merge_user: out.nullableRecord(userSummary, getMerger, {
    description: 'User who merged the merge request, or set the merge request to merge once its pipeline succeeds.',
  }),
  merged_at: out.nullableInstant((request) => request.merged_at ?? null),
  closed_by: out.nullableRecord(userSummary, (request) => request.closed_by),
  closed_at: out.nullableInstant((request) => request.closed_at ?? null),
  target_branch: out.text((request) => request.target_branch),
  source_branch: out.text((request) => request.source_branch),
  user_notes_count: out.integer((request) => request.user_notes_count),
  upvotes: out.integer((request) => request.upvotes),
  downvotes: out.integer((request) => request.downvotes),
  author: out.nullableRecord(userSummary, (request) => request.author),
  assignees: out.records(userSummary, getAssignees),
  assignee: out.nullableRecord(userSummary, (request, ctx) => getAssignees(request, ctx)[0] ?? null, {
    description: 'First of the assignees.',
  }),
  reviewers: out.records(userSummary, getReviewers),
  source_project_id: out.nullableInteger((request) => request.source_project_id ?? null),
  target_project_id: out.integer((request) => request.project_id),
  labels: out.texts((request, ctx) => (labelsOfMergeRequests.of(request, ctx) ?? []).map(({ title }) => title)),
  draft: out.boolean((request) => request.draft),
  work_in_progress: out.boolean((request) => request.draft, { description: 'Deprecated: use `draft`.' }),
  imported: out.boolean((request) => request.imported_from !== 'none'),
  imported_from: out.text((request) => request.imported_from),
  milestone: out.nullableRecord(milestoneSerializer, (request, ctx) => milestonesOfIssuables.of(request, ctx) ?? null),
  merge_when_pipeline_succeeds: out.boolean((request) => request.auto_merge_enabled),
  merge_status: out.text(publicStatus, { description: 'Deprecated: use `detailed_merge_status`.' }),
  detailed_merge_status: out.text(getDetailedStatus, { enum: DETAILED_MERGE_STATUSES }),
  sha: out.nullableText((request) => request.head_sha ?? null, { description: 'Head SHA of the source branch.' }),
  merge_commit_sha: out.nullableText((request) => request.merge_commit_sha ?? null),
  squash_commit_sha: out.nullableText((request) => request.squash_commit_sha ?? null),
  merge_after: out.nullableInstant(() => null),
  discussion_locked: out.nullableFlag((request) => request.discussion_locked ?? null),
  should_remove_source_branch: out.nullableFlag((request) => request.should_remove_source_branch ?? null),
  force_remove_source_branch: out.nullableFlag((request) => request.force_remove_source_branch ?? null),
  allow_collaboration: out.boolean((request) => request.allow_collaboration),
  allow_maintainer_to_push: out.boolean((request) => request.allow_collaboration, {
    description: 'Deprecated: use `allow_collaboration`.',
  }),
  prepared_at: out.nullableInstant((request) => request.prepared_at ?? null),
  reference: out.text((request) => `!${request.iid}`, { description: 'Deprecated: use `references`.' }),
  references: out.record(referencesSerializer, (request) => request),
  ...url,
  time_stats: out.record(timeStats, (request) => request),
  squash: out.boolean((request) => request.squash),
  squash_on_merge: out.boolean(squashOnMerge),
  task_completion_status: out.record(taskCompletion, (request) => request),
  has_conflicts: out.boolean((request) => request.merge_status === 'cannot_be_merged'),
  blocking_discussions_resolved: out.boolean(
    (request, ctx) => mergeDetails.of(request, ctx)?.discussions_open !== true,
  ),
  ...approvals,
};

const loads = [
  labelsOfMergeRequests,
  assigneesOfMergeRequests,
  reviewersOfMergeRequests,
  milestonesOfIssuables,
  mergeSettingsOf,
  mergeDetails,
];

/** A merge request in lists (core-resources.md section 7). */
export const mergeRequestSerializer = serializer<Listed>('MergeRequest', fields, { loads });

/** The same with the labels as records, for lists with `with_labels_details`. */
export const mergeRequestWithLabelDetails = serializer<Listed>(
  'MergeRequestWithLabelDetails',
  { ...fields, labels: out.records(labelSummary, (request, ctx) => labelsOfMergeRequests.of(request, ctx) ?? []) },
  { loads: [labelsInFull(labelsOfMergeRequests), ...loads.filter((one) => one !== labelsOfMergeRequests)] },
);

const diffRefs = serializer<MergeRequestRecord>('MergeRequestDiffRefs', {
  base_sha: out.nullableText((request) => request.base_sha ?? null),
  head_sha: out.nullableText((request) => request.head_sha ?? null),
  start_sha: out.nullableText((request) => request.start_sha ?? null),
});

const callerSerializer = serializer<MergeRequestRecord>('MergeRequestCaller', {
  can_merge: out.boolean((request, ctx) => mergeRights.of(request, ctx) ?? false),
});

function changesCount(request: MergeRequestRecord, ctx: Context): string | null {
  const { files_count: count = null, files_overflow: more = false } = changedFiles.of(request, ctx) ?? {};
  if (more) return `${count ?? MOST_DIFF_FILES}+`;
  return count === null ? null : String(count);
}

const getPipeline = (request: MergeRequestRecord, ctx: Context) => headPipelines.of(request, ctx) ?? null;

/** What one merge request shows (core-resources.md section 7). */
export const detailFields: Record<string, OutField<MergeRequestRecord>> = {
  ...(fields as Record<string, OutField<MergeRequestRecord>>),
  subscribed: out.boolean((request, ctx) => mergeRequestSubscriptions.of(request, ctx) ?? false),
  changes_count: out.nullableText(changesCount, {
    description: 'Number of changed files; with `+` if there are more.',
  }),
  latest_build_started_at: out.nullableInstant((request, ctx) => getPipeline(request, ctx)?.started_at ?? null),
  latest_build_finished_at: out.nullableInstant((request, ctx) => getPipeline(request, ctx)?.finished_at ?? null),
  first_deployed_to_production_at: out.nullableInstant((request, ctx) => firstDeployments.of(request, ctx) ?? null),
  pipeline: out.nullableRecord(basicPipeline, getPipeline),
  head_pipeline: out.nullableRecord(fullPipeline, getPipeline),
  diff_refs: out.nullableRecord(diffRefs, (request) => (request.head_sha ? request : null)),
  merge_error: out.nullableText((request) => request.merge_error ?? null),
  user: out.record(callerSerializer, (request) => request),
  ...inView('include_diverged_commits_count', {
    diverged_commits_count: out.integer<MergeRequestRecord>((request, ctx) => divergedCommits.of(request, ctx) ?? 0),
  }),
  ...inView('include_rebase_in_progress', {
    rebase_in_progress: out.boolean<MergeRequestRecord>((request) => Boolean(request.rebase_started_at)),
  }),
};
export const detailLoads = [
  ...loads,
  mergeRequestSubscriptions,
  changedFiles,
  headPipelines,
  mergeRights,
  firstDeployments,
];
export const detailViews = {
  include_diverged_commits_count: { loads: [divergedCommits] },
  include_rebase_in_progress: {},
};

/** One merge request with all that is known of it. */
export const mergeRequestDetails = serializer<MergeRequestRecord>('MergeRequestDetails', detailFields, {
  loads: detailLoads,
  views: detailViews,
});

/** A reviewer of a merge request (core-resources.md section 7). */
export const reviewerSerializer = serializer<Reviewer>('MergeRequestReviewer', {
  user: out.record(userSummary, ({ user }) => user),
  state: out.text(({ state }) => state, {
    enum: ['unreviewed', 'reviewed', 'requested_changes', 'approved', 'unapproved', 'review_started'],
  }),
  created_at: out.instant(({ created_at }) => created_at),
});

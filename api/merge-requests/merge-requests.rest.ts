import type { Context as KoaContext } from 'koa';
import {
  mergeRequestAwardOperations,
  listMergeRequestParticipants,
  listMergeRequestReviewers,
  mergeRequestSubscriptionOperations,
  mergeRequestTimeOperations,
} from '../../shared/merge-requests/merge-requests/merge-request-tracking.operations.js';
import { mergeRequestEventOperations } from '../../shared/merge-requests/merge-requests/merge-request-event.operations.js';
import {
  listClosingMergeRequests,
  listIssuesClosedByMergeRequest,
  listIssuesOfMergeRequest,
  listRelatedMergeRequests,
} from '../../shared/merge-requests/merge-request-edits/merge-request-issues.operations.js';
import {
  createMergeRequestPipeline,
  listMergeRequestPipelines,
} from '../../shared/merge-requests/merge-requests/merge-request-pipelines.operations.js';
import {
  listMergeRequestsOfCommit,
  listMilestoneMergeRequests,
} from '../../shared/merge-requests/merge-requests/related-merge-requests.operations.js';
import {
  reviewerSerializer,
  mergeRequestDetails,
  mergeRequestSerializer,
  mergeRequestWithLabelDetails,
  simpleMergeRequest,
} from '../../shared/merge-requests/merge-requests/merge-request.serializer.js';
import { basicPipeline, fullPipeline } from '../../shared/ci/pipelines/pipeline.serializer.js';
import { awardSerializer } from '../../shared/planning/award-emoji/award-emoji.operations.js';
import { timeStats } from '../../shared/planning/issuables/issuable.serializer.js';
import { issueSerializer } from '../../shared/planning/issues/issue.serializer.js';
import {
  labelEventSerializer,
  milestoneEventSerializer,
  stateEventSerializer,
} from '../../shared/planning/issues/resource-event.serializer.js';
import { userSummary } from '../../shared/tenancy/users/user.serializer.js';
import { containerRoutes, del, get, post, put, routes } from '../core/routes.js';
import { createMergeRequest } from '../../shared/merge-requests/merge-request-edits/create-merge-request.js';
import { deleteMergeRequest } from '../../shared/merge-requests/merge-request-edits/delete-merge-request.js';
import { updateMergeRequest } from '../../shared/merge-requests/merge-request-edits/update-merge-request.js';
import {
  getMergeRequestChanges,
  getMergeRequestRawDiff,
  getMergeRequestVersion,
  listMergeRequestCommits,
  listMergeRequestDiffs,
  listMergeRequestVersions,
} from '../../shared/merge-requests/merge-request-versions/version.operations.js';
import {
  listGroupMergeRequests,
  listMergeRequests,
  listProjectMergeRequests,
} from '../../shared/merge-requests/merge-requests/merge-request-lists.operations.js';
import type { MergeRequestList } from '../../shared/merge-requests/merge-requests/merge-request-order.js';
import type { RawDiff } from '../../shared/merge-requests/merge-request-versions/version.operations.js';
import {
  mergeRequestChanges,
  versionDetails,
  versionSerializer,
} from '../../shared/merge-requests/merge-request-versions/version.serializer.js';
import { getMergeRequest } from '../../shared/merge-requests/merge-requests/merge-request.operations.js';
import type { Context } from '../../shared/core/context/context.js';
import { commitSerializer } from '../../shared/repositories/branches-and-tags/branch.serializer.js';
import { fileDiffSerializer } from '../../shared/repositories/commits/commit.serializer.js';
import { sendText } from '../core/respond.js';
import {
  approveMergeRequest,
  getMergeRequestApprovals,
  resetMergeRequestApprovals,
  unapproveMergeRequest,
} from '../../shared/merge-requests/approvals/approval.operations.js';
import { mergeRequestApprovals } from '../../shared/merge-requests/approvals/approval.serializer.js';
import {
  getMergeRequestApprovalRule,
  getMergeRequestApprovalState,
  getProjectApprovalRule,
  getProjectApprovals,
  listMergeRequestApprovalRules,
  listProjectApprovalRules,
} from '../../shared/merge-requests/approvals/approval-rule.operations.js';
import {
  approvalState,
  mergeRequestApprovalRule,
  projectApprovalRule,
  projectApprovals,
} from '../../shared/merge-requests/approvals/approval-rule.serializer.js';
import { cancelAutoMergeOfRequest, mergeMergeRequest } from '../../shared/merge-requests/merging/merge.operations.js';
import { getMergeRef, mergeRefSerializer } from '../../shared/merge-requests/merging/merge-ref.operations.js';
import { rebaseBegun, rebaseMergeRequestOperation } from '../../shared/merge-requests/merging/rebase.operations.js';

async function sendDiff(koa: KoaContext, _ctx: unknown, diff: RawDiff) {
  sendText(koa, (await diff.open()) ?? '');
}

function getSerializer(_ctx: Context, list?: MergeRequestList) {
  if (list?.simple) return simpleMergeRequest;
  return list?.with_labels_details ? mergeRequestWithLabelDetails : mergeRequestSerializer;
}

const listed = {
  present: getSerializer,
  serializers: [mergeRequestSerializer, mergeRequestWithLabelDetails, simpleMergeRequest],
  paginate: 'offset',
} as const;

const time = mergeRequestTimeOperations;
const subscription = mergeRequestSubscriptionOperations;
const awards = mergeRequestAwardOperations;
const events = mergeRequestEventOperations;

const everywhere = [
  get('/merge_requests', listMergeRequests, listed),
  get('/groups/:id/merge_requests', listGroupMergeRequests, listed),
];

const ofProject = routes('/projects/:id/merge_requests', [
  get('/', listProjectMergeRequests, listed),
  post('/', createMergeRequest, { present: mergeRequestDetails, status: 201 }),
  get('/:merge_request_iid', getMergeRequest, { present: mergeRequestDetails }),
  put('/:merge_request_iid', updateMergeRequest, { present: mergeRequestDetails }),
  del('/:merge_request_iid', deleteMergeRequest, { status: 204 }),
  get('/:merge_request_iid/commits', listMergeRequestCommits, { present: commitSerializer, paginate: 'offset' }),
  get('/:merge_request_iid/diffs', listMergeRequestDiffs, { present: fileDiffSerializer, paginate: 'offset' }),
  get('/:merge_request_iid/changes', getMergeRequestChanges, { present: mergeRequestChanges }),
  get('/:merge_request_iid/raw_diffs', getMergeRequestRawDiff, { respond: sendDiff }),
  get('/:merge_request_iid/versions', listMergeRequestVersions, { present: versionSerializer, paginate: 'offset' }),
  get('/:merge_request_iid/versions/:version_id', getMergeRequestVersion, { present: versionDetails }),
  get('/:merge_request_iid/participants', listMergeRequestParticipants, { present: userSummary, paginate: 'offset' }),
  get('/:merge_request_iid/reviewers', listMergeRequestReviewers, { present: reviewerSerializer, paginate: 'none' }),
  get('/:merge_request_iid/pipelines', listMergeRequestPipelines, { present: basicPipeline, paginate: 'offset' }),
  post('/:merge_request_iid/pipelines', createMergeRequestPipeline, { present: fullPipeline }),
  get('/:merge_request_iid/closes_issues', listIssuesClosedByMergeRequest, {
    present: issueSerializer,
    paginate: 'offset',
  }),
  get('/:merge_request_iid/related_issues', listIssuesOfMergeRequest, { present: issueSerializer, paginate: 'offset' }),
  post('/:merge_request_iid/subscribe', subscription.subscribe, { present: mergeRequestDetails, status: 201 }),
  post('/:merge_request_iid/unsubscribe', subscription.unsubscribe, { present: mergeRequestDetails, status: 201 }),
  get('/:merge_request_iid/time_stats', time.stats, { present: timeStats }),
  post('/:merge_request_iid/time_estimate', time.estimate, { present: timeStats }),
  post('/:merge_request_iid/reset_time_estimate', time.resetEstimate, { present: timeStats }),
  post('/:merge_request_iid/add_spent_time', time.spend, { present: timeStats, status: 201 }),
  post('/:merge_request_iid/reset_spent_time', time.resetSpent, { present: timeStats }),
  get('/:merge_request_iid/award_emoji', awards.list, { present: awardSerializer, paginate: 'offset' }),
  post('/:merge_request_iid/award_emoji', awards.award, { present: awardSerializer, status: 201 }),
  get('/:merge_request_iid/award_emoji/:award_id', awards.get, { present: awardSerializer }),
  del('/:merge_request_iid/award_emoji/:award_id', awards.takeBack, { status: 204 }),
  get('/:merge_request_iid/resource_state_events', events.state.list, {
    present: stateEventSerializer,
    paginate: 'offset',
  }),
  get('/:merge_request_iid/resource_state_events/:event_id', events.state.get, { present: stateEventSerializer }),
  get('/:merge_request_iid/resource_label_events', events.label.list, {
    present: labelEventSerializer,
    paginate: 'offset',
  }),
  get('/:merge_request_iid/resource_label_events/:event_id', events.label.get, { present: labelEventSerializer }),
  get('/:merge_request_iid/resource_milestone_events', events.milestone.list, {
    present: milestoneEventSerializer,
    paginate: 'offset',
  }),
  get('/:merge_request_iid/resource_milestone_events/:event_id', events.milestone.get, {
    present: milestoneEventSerializer,
  }),
]);

const ofOther = { present: mergeRequestSerializer, paginate: 'offset' } as const;

const elsewhere = [
  get('/projects/:id/issues/:issue_iid/related_merge_requests', listRelatedMergeRequests, ofOther),
  get('/projects/:id/issues/:issue_iid/closed_by', listClosingMergeRequests, ofOther),
  get('/projects/:id/repository/commits/:sha/merge_requests', listMergeRequestsOfCommit, ofOther),
  ...containerRoutes('/milestones/:milestone_id/merge_requests', listMilestoneMergeRequests, (list) => [
    get('/', list, ofOther),
  ]),
];

export const mergeRequestRoutes = [...everywhere, ...ofProject, ...elsewhere];

const ofProjects = routes('/projects/:id', [
  get('/approvals', getProjectApprovals, { present: projectApprovals }),
  get('/approval_rules', listProjectApprovalRules, { present: projectApprovalRule, paginate: 'offset' }),
  get('/approval_rules/:approval_rule_id', getProjectApprovalRule, { present: projectApprovalRule }),
]);

const ofMergeRequests = routes('/projects/:id/merge_requests/:merge_request_iid', [
  get('/approvals', getMergeRequestApprovals, { present: mergeRequestApprovals }),
  get('/approval_state', getMergeRequestApprovalState, { present: approvalState }),
  get('/approval_rules', listMergeRequestApprovalRules, { present: mergeRequestApprovalRule, paginate: 'offset' }),
  get('/approval_rules/:approval_rule_id', getMergeRequestApprovalRule, { present: mergeRequestApprovalRule }),
  post('/approve', approveMergeRequest, { present: mergeRequestApprovals, status: 201 }),
  post('/unapprove', unapproveMergeRequest, { present: mergeRequestApprovals, status: 201 }),
  put('/reset_approvals', resetMergeRequestApprovals, {
    status: 202,
    schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  }),
]);

export const approvalRoutes = [...ofProjects, ...ofMergeRequests];

export const mergingRoutes = routes('/projects/:id/merge_requests/:merge_request_iid', [
  put('/merge', mergeMergeRequest, { present: mergeRequestDetails }),
  post('/cancel_merge_when_pipeline_succeeds', cancelAutoMergeOfRequest, { present: mergeRequestDetails, status: 201 }),
  get('/merge_ref', getMergeRef, { present: mergeRefSerializer }),
  put('/rebase', rebaseMergeRequestOperation, { present: rebaseBegun, status: 202 }),
]);

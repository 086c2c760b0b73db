import { cloneIssue } from '../../../shared/planning/issues/clone-issue.js';
import { createIssue } from '../../../shared/planning/issues/create-issue.js';
import { deleteIssue } from '../../../shared/planning/issues/delete-issue.js';
import { moveIssue } from '../../../shared/planning/issues/move-issue.js';
import { reorderIssue } from '../../../shared/planning/issues/reorder-issue.js';
import { updateIssue } from '../../../shared/planning/issues/update-issue.js';
import { getIssueUserAgent, userAgentDetail } from '../../../shared/planning/issues/user-agent-detail.js';
import {
  listGroupIssues,
  listIssues,
  listProjectIssues,
} from '../../../shared/planning/issue-lists/issue-lists.operations.js';
import {
  countGroupIssues,
  countIssues,
  countProjectIssues,
  issueStatistics,
} from '../../../shared/planning/issue-lists/issue-statistics.js';
import {
  issueSubscriptionOperations,
  issueTimeOperations,
} from '../../../shared/planning/issues/issue-tracking.operations.js';
import { listIssueParticipants, getAnyIssue, getIssue } from '../../../shared/planning/issues/issue.operations.js';
import {
  issueDetails,
  issueSerializer,
  issueWithLabelDetails,
} from '../../../shared/planning/issues/issue.serializer.js';
import type { Context } from '../../../shared/core/context/context.js';
import type { OrderedIssues } from '../../../shared/planning/issue-lists/issue-order.js';
import { timeStats } from '../../../shared/planning/issuables/issuable.serializer.js';
import { userSummary } from '../../../shared/tenancy/users/user.serializer.js';
import { del, get, post, put, routes, containerRoutes } from '../../core/routes.js';
import { listMilestoneIssues } from '../../../shared/planning/issues/milestone-issues.operations.js';
import {
  epicLabelEventOperations,
  epicStateEventOperations,
  labelEventOperations,
  milestoneEventOperations,
  stateEventOperations,
  weightEventOperations,
} from '../../../shared/planning/issues/resource-event.operations.js';
import {
  labelEventSerializer,
  milestoneEventSerializer,
  stateEventSerializer,
  weightEventSerializer,
} from '../../../shared/planning/issues/resource-event.serializer.js';

const listed = {
  present: (_ctx: Context, list?: OrderedIssues) =>
    list?.with_labels_details ? issueWithLabelDetails : issueSerializer,
  serializers: [issueSerializer, issueWithLabelDetails],
  paginate: 'offset',
} as const;

const everywhere = [
  get('/issues', listIssues, listed),
  get('/issues/:id', getAnyIssue, { present: issueDetails }),
  get('/issues_statistics', countIssues, { present: issueStatistics }),
  get('/groups/:id/issues', listGroupIssues, listed),
  get('/groups/:id/issues_statistics', countGroupIssues, { present: issueStatistics }),
  get('/projects/:id/issues_statistics', countProjectIssues, { present: issueStatistics }),
];

const ofProject = routes('/projects/:id/issues', [
  get('/', listProjectIssues, listed),
  post('/', createIssue, { present: issueDetails, status: 201 }),
  get('/:issue_iid', getIssue, { present: issueDetails }),
  put('/:issue_iid', updateIssue, { present: issueDetails }),
  del('/:issue_iid', deleteIssue, { status: 204 }),
  post('/:issue_iid/move', moveIssue, { present: issueDetails, status: 201 }),
  post('/:issue_iid/clone', cloneIssue, { present: issueDetails, status: 201 }),
  put('/:issue_iid/reorder', reorderIssue, { present: issueDetails }),
  post('/:issue_iid/subscribe', issueSubscriptionOperations.subscribe, { present: issueDetails, status: 201 }),
  post('/:issue_iid/unsubscribe', issueSubscriptionOperations.unsubscribe, { present: issueDetails, status: 201 }),
  get('/:issue_iid/time_stats', issueTimeOperations.stats, { present: timeStats }),
  post('/:issue_iid/time_estimate', issueTimeOperations.estimate, { present: timeStats }),
  post('/:issue_iid/reset_time_estimate', issueTimeOperations.resetEstimate, { present: timeStats }),
  post('/:issue_iid/add_spent_time', issueTimeOperations.spend, { present: timeStats, status: 201 }),
  post('/:issue_iid/reset_spent_time', issueTimeOperations.resetSpent, { present: timeStats }),
  get('/:issue_iid/participants', listIssueParticipants, { present: userSummary, paginate: 'offset' }),
  get('/:issue_iid/user_agent_detail', getIssueUserAgent, { present: userAgentDetail }),
]);

export default [...everywhere, ...ofProject];

export const milestoneIssueRoutes = containerRoutes('/milestones/:milestone_id/issues', listMilestoneIssues, (list) => [
  get('/', list, { present: issueSerializer, paginate: 'offset' }),
]);

const ISSUE = '/projects/:id/issues/:issue_iid';
const EPIC = '/groups/:id/epics/:epic_id';

export const resourceEventRoutes = [
  get(`${ISSUE}/resource_state_events`, stateEventOperations.list, {
    present: stateEventSerializer,
    paginate: 'offset',
  }),
  get(`${ISSUE}/resource_state_events/:event_id`, stateEventOperations.get, { present: stateEventSerializer }),
  get(`${ISSUE}/resource_label_events`, labelEventOperations.list, {
    present: labelEventSerializer,
    paginate: 'offset',
  }),
  get(`${ISSUE}/resource_label_events/:event_id`, labelEventOperations.get, { present: labelEventSerializer }),
  get(`${ISSUE}/resource_milestone_events`, milestoneEventOperations.list, {
    present: milestoneEventSerializer,
    paginate: 'offset',
  }),
  get(`${ISSUE}/resource_milestone_events/:event_id`, milestoneEventOperations.get, {
    present: milestoneEventSerializer,
  }),
  get(`${ISSUE}/resource_weight_events`, weightEventOperations.list, {
    present: weightEventSerializer,
    paginate: 'offset',
  }),
  get(`${ISSUE}/resource_weight_events/:event_id`, weightEventOperations.get, { present: weightEventSerializer }),
  get(`${EPIC}/resource_state_events`, epicStateEventOperations.list, {
    present: stateEventSerializer,
    paginate: 'offset',
  }),
  get(`${EPIC}/resource_state_events/:event_id`, epicStateEventOperations.get, { present: stateEventSerializer }),
  get(`${EPIC}/resource_label_events`, epicLabelEventOperations.list, {
    present: labelEventSerializer,
    paginate: 'offset',
  }),
  get(`${EPIC}/resource_label_events/:event_id`, epicLabelEventOperations.get, { present: labelEventSerializer }),
];

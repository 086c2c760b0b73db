import type { Context } from '../../core/context/context.js';
import type { List } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { issue, issuesOfAll } from '../../planning/issues/issue.finder.js';
import { issuePolicy } from '../../planning/issues/issue.policy.js';
import type { ListedIssue } from '../../planning/issues/issue.entity.js';
import { onIssues } from '../../planning/issues/visible-issues.js';
import { mergeRequest, mergeRequestsOfAll } from '../merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import type { ListedMergeRequest, MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { onMergeRequests } from '../merge-requests/visible-merge-requests.js';

const ofMergeRequest = {
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  authentication: 'open',
  kind: 'read',
  statements: 13,
} as const;

const ofIssue = {
  resource: issue,
  can: can(issuePolicy, 'read_issue'),
  authentication: 'open',
  kind: 'read',
  statements: 15,
} as const;

/** Issues that it closes once it is merged, or all that it names. */
type How = 'closing' | 'named';

/** Rows `x` of merge requests and the issues that they name. */
function namings(how: How) {
  const all = onMergeRequests.selectFrom('merge_requests_closing_issues as x');
  return how === 'closing' ? all.where((eb) => eb.ref('x.closes')) : all;
}

/** Issues that a merge request names, as far as the caller may read them. */
const getIssues = (ctx: Context, { id, reference_base }: MergeRequestRecord, how: How): List<ListedIssue> => ({
  ...issuesOfAll(ctx, [onIssues('i.id', 'in', namings(how).select('x.issue_id').where('x.merge_request_id', '=', id))]),
  read: (row) => ({ ...row, ...(reference_base ? { reference_base } : {}) }),
});

/** Merge requests that name an issue, as far as the caller may read them. */
const getMergeRequests = (ctx: Context, issueId: number, how: How): List<ListedMergeRequest> =>
  mergeRequestsOfAll(ctx, [
    onMergeRequests('i.id', 'in', namings(how).select('x.merge_request_id').where('x.issue_id', '=', issueId)),
  ]);

/** List the issues that a merge request closes once it is merged. */
export const listIssuesClosedByMergeRequest = operation({
  name: 'listIssuesClosedByMergeRequest',
  summary: 'List the issues that a merge request closes',
  ...ofMergeRequest,
  run: (ctx, found) => Promise.resolve(getIssues(ctx, found, 'closing')),
});

/** List the issues that a merge request names: in title, description or commits. */
export const listIssuesOfMergeRequest = operation({
  name: 'listIssuesOfMergeRequest',
  summary: 'List the issues that are related to a merge request',
  ...ofMergeRequest,
  run: (ctx, found) => Promise.resolve(getIssues(ctx, found, 'named')),
});

/** List the merge requests that name an issue. */
export const listRelatedMergeRequests = operation({
  name: 'listRelatedMergeRequests',
  summary: 'List the merge requests that are related to an issue',
  ...ofIssue,
  run: (ctx, found) => Promise.resolve(getMergeRequests(ctx, found.id, 'named')),
});

/** List the merge requests that close an issue when they are merged. */
export const listClosingMergeRequests = operation({
  name: 'listClosingMergeRequests',
  summary: 'List the merge requests that close an issue',
  ...ofIssue,
  run: (ctx, found) => Promise.resolve(getMergeRequests(ctx, found.id, 'closing')),
});

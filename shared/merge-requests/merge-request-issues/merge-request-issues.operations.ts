import type { Context } from '../../core/context.js';
import type { List, TextList } from '../../core/list.js';
import { can, operation } from '../../core/operation.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { issue, issuesOfAll } from '../../planning/issues/issue.finder.js';
import { issuePolicy } from '../../planning/issues/issue.policy.js';
import type { ListedIssue } from '../../planning/issues/issue.record.js';
import { mergeRequest, mergeRequestsOfAll } from '../merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import type { ListedMergeRequest, MergeRequestRecord } from '../merge-requests/merge-request.record.js';

const ofMergeRequest = {
  subject: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  gate: 'open',
  kind: 'read',
  statements: 13,
} as const;

const ofIssue = {
  subject: issue,
  can: can(issuePolicy, 'read_issue'),
  gate: 'open',
  kind: 'read',
  statements: 15,
} as const;

const closing: Fragment = sql`x.closes`;
const named: Fragment = sql`true`;

/** Issues that a merge request names, as far as the caller may read them. */
const issuesOf = (ctx: Context, { id, seen_from }: MergeRequestRecord, how: Fragment): List<ListedIssue> => ({
  ...issuesOfAll(ctx, [
    sql`i.id in (select x.issue_id from merge_requests_closing_issues x where x.merge_request_id = ${id} and ${how})`,
  ]),
  read: (row) => ({ ...row, ...(seen_from ? { seen_from } : {}) }),
});

/** Merge requests that name an issue, as far as the caller may read them. */
const mergeRequestsOf = (ctx: Context, issueId: number, how: Fragment): TextList<ListedMergeRequest> =>
  mergeRequestsOfAll(ctx, [
    sql`i.id in (select x.merge_request_id from merge_requests_closing_issues x where x.issue_id = ${issueId} and ${how})`,
  ]);

/** List the issues that a merge request closes once it is merged. */
export const listIssuesClosedByMergeRequest = operation({
  name: 'listIssuesClosedByMergeRequest',
  summary: 'List the issues that a merge request closes',
  ...ofMergeRequest,
  run: (ctx, found) => Promise.resolve(issuesOf(ctx, found, closing)),
});

/** List the issues that a merge request names: in title, description or commits. */
export const listIssuesOfMergeRequest = operation({
  name: 'listIssuesOfMergeRequest',
  summary: 'List the issues that are related to a merge request',
  ...ofMergeRequest,
  run: (ctx, found) => Promise.resolve(issuesOf(ctx, found, named)),
});

/** List the merge requests that name an issue. */
export const listRelatedMergeRequests = operation({
  name: 'listRelatedMergeRequests',
  summary: 'List the merge requests that are related to an issue',
  ...ofIssue,
  run: (ctx, found) => Promise.resolve(mergeRequestsOf(ctx, found.id, named)),
});

/** List the merge requests that close an issue when they are merged. */
export const listClosingMergeRequests = operation({
  name: 'listClosingMergeRequests',
  summary: 'List the merge requests that close an issue',
  ...ofIssue,
  run: (ctx, found) => Promise.resolve(mergeRequestsOf(ctx, found.id, closing)),
});

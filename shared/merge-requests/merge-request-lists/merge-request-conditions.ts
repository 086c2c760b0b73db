import type { Context } from '../../core/context.js';
import { and, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import {
  assigneeCondition,
  labelConditions,
  not,
  sharedConditions,
  timeConditions,
  titlesOf,
} from '../../planning/issuable-lists/issuable-conditions.js';
import { hasAssignee, userIdOfName } from '../../planning/issuables/issuable-filters.js';
import { searchConditions, SEARCHED } from '../../planning/issuables/issuable-search.js';
import { mergeRequestType } from '../../planning/issuables/issuable-type.js';
import type { LabelIds } from '../../planning/issuables/labels-of-filters.js';
import { deployedConditions } from '../merge-requests/deployment-source.js';
import type { MergeRequestFilters } from './merge-request.filters.js';

/** That a user is to review it. */
export const hasReviewer = (userId: number | Fragment): Fragment =>
  sql`exists (select 1 from merge_request_reviewers x where x.merge_request_id = i.id and x.user_id = ${userId})`;

const hasReviewers: Fragment = sql`exists (select 1 from merge_request_reviewers x where x.merge_request_id = i.id)`;

const hasApproval = (userId: number | Fragment): Fragment =>
  sql`exists (select 1 from merge_request_approvals x where x.merge_request_id = i.id and x.user_id = ${userId})`;

const hasApprovals: Fragment = sql`exists (select 1 from merge_request_approvals x where x.merge_request_id = i.id)`;

/** Nobody, anybody, or a user. */
function someone(given: number | 'none' | 'any', has: (id: number) => Fragment, any: Fragment): Fragment {
  if (given === 'none' || given === 0) return not(any);
  return given === 'any' ? any : has(given);
}

function notConditions(ctx: Context, given: NonNullable<MergeRequestFilters['not']>, labelIds: LabelIds): Fragment[] {
  const where = [
    ...sharedConditions(ctx, mergeRequestType, given),
    ...labelConditions(mergeRequestType, titlesOf(given.labels ?? []), labelIds),
  ];
  if (given.assignee_id !== undefined) where.push(hasAssignee(mergeRequestType, given.assignee_id));
  if (given.reviewer_id !== undefined) where.push(hasReviewer(given.reviewer_id));
  if (given.reviewer_username) where.push(hasReviewer(userIdOfName(given.reviewer_username)));
  return where.map(not);
}

function peopleConditions(given: MergeRequestFilters): Fragment[] {
  const where: Fragment[] = [];
  if (given.assignee_id !== undefined) where.push(assigneeCondition(mergeRequestType, given.assignee_id));
  if (given.reviewer_id !== undefined) where.push(someone(given.reviewer_id, hasReviewer, hasReviewers));
  if (given.reviewer_username) where.push(hasReviewer(userIdOfName(given.reviewer_username)));
  for (const id of given.approved_by_ids ?? []) where.push(someone(id, hasApproval, hasApprovals));
  for (const name of given.approved_by_usernames ?? []) where.push(hasApproval(userIdOfName(name)));
  return where;
}

function branchConditions(given: MergeRequestFilters): Fragment[] {
  const where: Fragment[] = [];
  if (given.state !== 'all') where.push(sql`i.state = ${given.state}`);
  if (given.source_branch !== undefined) where.push(sql`i.source_branch = ${given.source_branch}`);
  if (given.target_branch !== undefined) where.push(sql`i.target_branch = ${given.target_branch}`);
  if (given.source_project_id !== undefined) where.push(sql`i.source_project_id = ${given.source_project_id}`);
  const draft = given.draft ?? (given.wip === undefined ? undefined : given.wip === 'yes');
  if (draft !== undefined) where.push(draft ? sql`i.draft` : sql`not i.draft`);
  return where;
}

/**
 * What filters say, as conditions on merge requests `i` (core-resources.md section 7).
 * @param labelIds of `titlesNamed`
 */
export function mergeRequestConditions(ctx: Context, given: MergeRequestFilters, labelIds: LabelIds): Fragment[] {
  const where = [
    ...sharedConditions(ctx, mergeRequestType, given),
    ...timeConditions(given),
    ...branchConditions(given),
    ...peopleConditions(given),
    ...labelConditions(mergeRequestType, titlesOf(given.labels ?? []), labelIds),
  ];
  if (given.merged_after) where.push(sql`i.merged_at >= ${given.merged_after}`);
  if (given.merged_before) where.push(sql`i.merged_at <= ${given.merged_before}`);
  where.push(...deployedConditions(given));
  if (given.search)
    where.push(...searchConditions(given.search, given.in && given.in.length > 0 ? given.in : SEARCHED));
  if (given.not) where.push(and(notConditions(ctx, given.not, labelIds)));
  return where;
}

import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import {
  assigneeCondition,
  labelConditions,
  not,
  sharedConditions,
  timeConditions,
  titlesOf,
} from '../../planning/issue-lists/issuable-conditions.js';
import { hasAssignee, userIdOfName } from '../../planning/issuables/issuable-filters.js';
import { searchConditions, SEARCHED } from '../../planning/issuables/issuable-search.js';
import { mergeRequestType } from '../../planning/issuables/issuable-type.js';
import type { LabelIds } from '../../planning/issuables/labels-of-titles.js';
import { deployedConditions } from './deployment-source.js';
import { onMergeRequests } from './visible-merge-requests.js';
import type { MergeRequestFilters } from './merge-request.filters.js';

const one = onMergeRequests.lit(1).as('one');

/** Rows `x` of those who are to review merge request `i`. */
const reviewers = onMergeRequests
  .selectFrom('merge_request_reviewers as x')
  .select(one)
  .whereRef('x.merge_request_id', '=', 'i.id');

/** Rows `x` of those who approved it. */
const approvals = onMergeRequests
  .selectFrom('merge_request_approvals as x')
  .select(one)
  .whereRef('x.merge_request_id', '=', 'i.id');

/** That a user is to review it. */
export const hasReviewer = (userId: number | Expression<number>): Expression<SqlBool> =>
  onMergeRequests.exists(reviewers.where('x.user_id', '=', userId));

const hasReviewers = onMergeRequests.exists(reviewers);

const hasApproval = (userId: number | Expression<number>): Expression<SqlBool> =>
  onMergeRequests.exists(approvals.where('x.user_id', '=', userId));

const hasApprovals = onMergeRequests.exists(approvals);

/** Nobody, anybody, or a user. */
function someone(
  given: number | 'none' | 'any',
  has: (id: number) => Expression<SqlBool>,
  any: Expression<SqlBool>,
): Expression<SqlBool> {
  if (given === 'none' || given === 0) return not(any);
  return given === 'any' ? any : has(given);
}

function notConditions(
  ctx: Context,
  given: NonNullable<MergeRequestFilters['not']>,
  labelIds: LabelIds,
): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [
    ...sharedConditions(ctx, mergeRequestType, given),
    ...labelConditions(mergeRequestType, titlesOf(given.labels ?? []), labelIds),
  ];
  if (given.assignee_id !== undefined) where.push(hasAssignee(mergeRequestType, given.assignee_id));
  if (given.reviewer_id !== undefined) where.push(hasReviewer(given.reviewer_id));
  if (given.reviewer_username) where.push(hasReviewer(userIdOfName(given.reviewer_username)));
  return where.map(not);
}

function peopleConditions(given: MergeRequestFilters): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (given.assignee_id !== undefined) where.push(assigneeCondition(mergeRequestType, given.assignee_id));
  if (given.reviewer_id !== undefined) where.push(someone(given.reviewer_id, hasReviewer, hasReviewers));
  if (given.reviewer_username) where.push(hasReviewer(userIdOfName(given.reviewer_username)));
  for (const id of given.approved_by_ids ?? []) where.push(someone(id, hasApproval, hasApprovals));
  for (const name of given.approved_by_usernames ?? []) where.push(hasApproval(userIdOfName(name)));
  return where;
}

const isDraft = onMergeRequests.ref('i.draft');

function branchConditions(given: MergeRequestFilters): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (given.state !== 'all') where.push(onMergeRequests('i.state', '=', given.state));
  if (given.source_branch !== undefined) where.push(onMergeRequests('i.source_branch', '=', given.source_branch));
  if (given.target_branch !== undefined) where.push(onMergeRequests('i.target_branch', '=', given.target_branch));
  if (given.source_project_id !== undefined)
    where.push(onMergeRequests('i.source_project_id', '=', given.source_project_id));
  const draft = given.draft ?? (given.wip === undefined ? undefined : given.wip === 'yes');
  if (draft !== undefined) where.push(draft ? isDraft : onMergeRequests.not(isDraft));
  return where;
}

/**
 * What filters say, as conditions on merge requests `i` (core-resources.md section 7).
 * @param labelIds of `titlesNamed`
 */
export function mergeRequestConditions(
  ctx: Context,
  given: MergeRequestFilters,
  labelIds: LabelIds,
): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [
    ...sharedConditions(ctx, mergeRequestType, given),
    ...timeConditions(given),
    ...branchConditions(given),
    ...peopleConditions(given),
    ...labelConditions(mergeRequestType, titlesOf(given.labels ?? []), labelIds),
  ];
  if (given.merged_after) where.push(onMergeRequests('i.merged_at', '>=', given.merged_after));
  if (given.merged_before) where.push(onMergeRequests('i.merged_at', '<=', given.merged_before));
  where.push(...deployedConditions(given));
  if (given.search)
    where.push(...searchConditions(given.search, given.in && given.in.length > 0 ? given.in : SEARCHED));
  if (given.not) where.push(onMergeRequests.and(notConditions(ctx, given.not, labelIds)));
  return where;
}

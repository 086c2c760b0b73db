import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import {
  assigneeCondition,
  labelConditions,
  not,
  sharedConditions,
  timeConditions,
  splitTitles,
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

/** A condition for no user, any user, or a given user. */
function someone(
  value: number | 'none' | 'any',
  has: (id: number) => Expression<SqlBool>,
  any: Expression<SqlBool>,
): Expression<SqlBool> {
  if (value === 'none' || value === 0) return not(any);
  return value === 'any' ? any : has(value);
}

function notConditions(
  ctx: Context,
  filters: NonNullable<MergeRequestFilters['not']>,
  labelIds: LabelIds,
): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [
    ...sharedConditions(ctx, mergeRequestType, filters),
    ...labelConditions(mergeRequestType, splitTitles(filters.labels ?? []), labelIds),
  ];
  if (filters.assignee_id !== undefined) where.push(hasAssignee(mergeRequestType, filters.assignee_id));
  if (filters.reviewer_id !== undefined) where.push(hasReviewer(filters.reviewer_id));
  if (filters.reviewer_username) where.push(hasReviewer(userIdOfName(filters.reviewer_username)));
  return where.map(not);
}

function peopleConditions(filters: MergeRequestFilters): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (filters.assignee_id !== undefined) where.push(assigneeCondition(mergeRequestType, filters.assignee_id));
  if (filters.reviewer_id !== undefined) where.push(someone(filters.reviewer_id, hasReviewer, hasReviewers));
  if (filters.reviewer_username) where.push(hasReviewer(userIdOfName(filters.reviewer_username)));
  for (const id of filters.approved_by_ids ?? []) where.push(someone(id, hasApproval, hasApprovals));
  for (const name of filters.approved_by_usernames ?? []) where.push(hasApproval(userIdOfName(name)));
  return where;
}

const isDraft = onMergeRequests.ref('i.draft');

function branchConditions(filters: MergeRequestFilters): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (filters.state !== 'all') where.push(onMergeRequests('i.state', '=', filters.state));
  if (filters.source_branch !== undefined) where.push(onMergeRequests('i.source_branch', '=', filters.source_branch));
  if (filters.target_branch !== undefined) where.push(onMergeRequests('i.target_branch', '=', filters.target_branch));
  if (filters.source_project_id !== undefined)
    where.push(onMergeRequests('i.source_project_id', '=', filters.source_project_id));
  const draft = filters.draft ?? (filters.wip === undefined ? undefined : filters.wip === 'yes');
  if (draft !== undefined) where.push(draft ? isDraft : onMergeRequests.not(isDraft));
  return where;
}

/**
 * What filters say, as conditions on merge requests `i` (core-resources.md section 7).
 * @param labelIds of `labelTitles`
 */
export function mergeRequestConditions(
  ctx: Context,
  filters: MergeRequestFilters,
  labelIds: LabelIds,
): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [
    ...sharedConditions(ctx, mergeRequestType, filters),
    ...timeConditions(filters),
    ...branchConditions(filters),
    ...peopleConditions(filters),
    ...labelConditions(mergeRequestType, splitTitles(filters.labels ?? []), labelIds),
  ];
  if (filters.merged_after) where.push(onMergeRequests('i.merged_at', '>=', filters.merged_after));
  if (filters.merged_before) where.push(onMergeRequests('i.merged_at', '<=', filters.merged_before));
  where.push(...deployedConditions(filters));
  if (filters.search)
    where.push(...searchConditions(filters.search, filters.in && filters.in.length > 0 ? filters.in : SEARCHED));
  if (filters.not) where.push(onMergeRequests.and(notConditions(ctx, filters.not, labelIds)));
  return where;
}

import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { today } from '../../tenancy/namespaces/access.js';
import { inEpic } from '../epics/visible-epics.js';
import {
  assigneeCondition,
  labelConditions,
  not,
  sharedConditions,
  timeConditions,
  splitTitles,
} from './issuable-conditions.js';
import { hasAssignee, isDue } from '../issuables/issuable-filters.js';
import { searchConditions, SEARCHED } from '../issuables/issuable-search.js';
import type { LabelIds } from '../issuables/labels-of-titles.js';
import { onIssues } from '../issues/visible-issues.js';
import { issueType } from '../issuables/issuable-type.js';
import type { IssueFilters, NotFilters } from './issue.filters.js';

function notConditions(ctx: Context, filters: NotFilters, labelIds: LabelIds): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [
    ...sharedConditions(ctx, issueType, filters),
    ...labelConditions(issueType, splitTitles(filters.labels ?? []), labelIds),
  ];
  if (filters.assignee_id !== undefined) where.push(hasAssignee(issueType, filters.assignee_id));
  if (filters.weight !== undefined && ctx.hasPlan('premium')) where.push(onIssues('i.weight', '=', filters.weight));
  return where.map(not);
}

/** A number, or a word about whether there is any. */
function weightCondition(value: number | 'none' | 'any'): Expression<SqlBool> {
  if (value === 'none') return onIssues('i.weight', 'is', null);
  return value === 'any' ? onIssues('i.weight', 'is not', null) : onIssues('i.weight', '=', value);
}

function epicCondition(ctx: Context, value: number | 'none' | 'any'): Expression<SqlBool> {
  if (value === 'none') return not(inEpic(ctx));
  return value === 'any' ? inEpic(ctx) : inEpic(ctx, value);
}

/**
 * What filters say, as conditions on issues `i` (core-resources.md section 6).
 * @param labelIds of {@link labelTitles}
 */
export function issueConditions(ctx: Context, filters: IssueFilters, labelIds: LabelIds): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [...sharedConditions(ctx, issueType, filters), ...timeConditions(filters)];
  if (filters.due_date) where.push(isDue(filters.due_date, today(ctx)));
  const premium = ctx.hasPlan('premium');
  where.push(...labelConditions(issueType, splitTitles(filters.labels ?? []), labelIds));
  if (filters.assignee_id !== undefined) where.push(assigneeCondition(issueType, filters.assignee_id));
  if (filters.weight !== undefined && premium) where.push(weightCondition(filters.weight));
  if (filters.epic_id !== undefined && premium) where.push(epicCondition(ctx, filters.epic_id));
  if (filters.confidential !== undefined) where.push(onIssues('i.confidential', '=', constant(filters.confidential)));
  if (filters.issue_type) where.push(onIssues('i.issue_type', '=', filters.issue_type));
  if (filters.search)
    where.push(...searchConditions(filters.search, filters.in && filters.in.length > 0 ? filters.in : SEARCHED));
  if (filters.not) where.push(onIssues.and(notConditions(ctx, filters.not, labelIds)));
  return where;
}

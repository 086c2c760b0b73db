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
  titlesOf,
} from './issuable-conditions.js';
import { hasAssignee, isDue } from '../issuables/issuable-filters.js';
import { searchConditions, SEARCHED } from '../issuables/issuable-search.js';
import type { LabelIds } from '../issuables/labels-of-titles.js';
import { onIssues } from '../issues/visible-issues.js';
import { issueType } from '../issuables/issuable-type.js';
import type { IssueFilters, NotFilters } from './issue.filters.js';

function notConditions(ctx: Context, given: NotFilters, labelIds: LabelIds): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [
    ...sharedConditions(ctx, issueType, given),
    ...labelConditions(issueType, titlesOf(given.labels ?? []), labelIds),
  ];
  if (given.assignee_id !== undefined) where.push(hasAssignee(issueType, given.assignee_id));
  if (given.weight !== undefined && ctx.hasPlan('premium')) where.push(onIssues('i.weight', '=', given.weight));
  return where.map(not);
}

/** A number, or a word about whether there is any. */
function weightCondition(given: number | 'none' | 'any'): Expression<SqlBool> {
  if (given === 'none') return onIssues('i.weight', 'is', null);
  return given === 'any' ? onIssues('i.weight', 'is not', null) : onIssues('i.weight', '=', given);
}

function epicCondition(ctx: Context, given: number | 'none' | 'any'): Expression<SqlBool> {
  if (given === 'none') return not(inEpic(ctx));
  return given === 'any' ? inEpic(ctx) : inEpic(ctx, given);
}

/**
 * What filters say, as conditions on issues `i` (core-resources.md section 6).
 * @param labelIds of {@link titlesNamed}
 */
export function issueConditions(ctx: Context, given: IssueFilters, labelIds: LabelIds): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [...sharedConditions(ctx, issueType, given), ...timeConditions(given)];
  if (given.due_date) where.push(isDue(given.due_date, today(ctx)));
  const premium = ctx.hasPlan('premium');
  where.push(...labelConditions(issueType, titlesOf(given.labels ?? []), labelIds));
  if (given.assignee_id !== undefined) where.push(assigneeCondition(issueType, given.assignee_id));
  if (given.weight !== undefined && premium) where.push(weightCondition(given.weight));
  if (given.epic_id !== undefined && premium) where.push(epicCondition(ctx, given.epic_id));
  if (given.confidential !== undefined) where.push(onIssues('i.confidential', '=', constant(given.confidential)));
  if (given.issue_type) where.push(onIssues('i.issue_type', '=', given.issue_type));
  if (given.search)
    where.push(...searchConditions(given.search, given.in && given.in.length > 0 ? given.in : SEARCHED));
  if (given.not) where.push(onIssues.and(notConditions(ctx, given.not, labelIds)));
  return where;
}

import type { Context } from '../../core/context.js';
import { and, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { today } from '../../tenancy/access/access.js';
import { awardableIssue } from '../award-emoji/awardable.js';
import { reactedWith } from '../award-emoji/award-emoji.finder.js';
import {
  hasAssignee,
  hasAssignees,
  hasLabel,
  hasLabels,
  hasMilestone,
  isDue,
  isPlanned,
  MILESTONE_WORDS,
  userIdOfName,
} from '../issuables/issuable-filters.js';
import type { MilestoneWord } from '../issuables/issuable-filters.js';
import { searchConditions, SEARCHED } from '../issuables/issuable-search.js';
import type { LabelIds } from '../issuables/labels-of-filters.js';
import { issueType } from '../issuables/issuable-type.js';
import type { IssueFilters, NotFilters } from './issue.filters.js';

const not = (condition: Sql): Sql => sql`not coalesce(${condition}, false)`;
const isWord = (text: string, word: string) => text.trim().toLowerCase() === word;

/** Titles as they were given, in an array or not: no title holds a comma. */
const titlesOf = (given: readonly string[]): string[] =>
  given
    .flatMap((one) => one.split(','))
    .map((title) => title.trim())
    .filter((title) => title !== '');

const NO_TITLES = ['none', 'any'];

/** All titles of labels that filters name. */
export const titlesNamed = (given: IssueFilters): string[] =>
  titlesOf([...(given.labels ?? []), ...(given.not?.labels ?? [])]).filter(
    (title) => !NO_TITLES.includes(title.toLowerCase()),
  );

function labelConditions(titles: readonly string[], labelIds: LabelIds): Sql[] {
  return titles.map((title) => {
    if (isWord(title, 'none')) return not(hasLabels(issueType));
    return isWord(title, 'any') ? hasLabels(issueType) : hasLabel(issueType, labelIds.get(title) ?? []);
  });
}

function milestoneCondition(ctx: Context, given: string | number): Sql {
  // `#upcoming` is how the public API's own pages say it.
  const word = typeof given === 'string' ? given.trim().toLowerCase().replace(/^#/, '') : '';
  if ((MILESTONE_WORDS as readonly string[]).includes(word)) return isPlanned(word as MilestoneWord, today(ctx));
  return typeof given === 'number' ? sql`i.milestone_id = ${given}` : hasMilestone(given);
}

/** What both the filters and `not` say, each as a condition that is to hold, or not to. */
function sharedConditions(ctx: Context, given: IssueFilters | NotFilters): Sql[] {
  const where: Sql[] = [];
  if (given.milestone) where.push(milestoneCondition(ctx, given.milestone));
  if (given.milestone_id !== undefined) where.push(milestoneCondition(ctx, given.milestone_id));
  if (given.iids && given.iids.length > 0)
    where.push(sql`i.iid = any(${given.iids.filter((iid) => Math.abs(iid) < 2 ** 31)}::int[])`);
  if (given.author_id !== undefined) where.push(sql`i.author_id = ${given.author_id}`);
  if (given.author_username) where.push(sql`i.author_id = ${userIdOfName(given.author_username)}`);
  for (const name of given.assignee_username ?? []) where.push(hasAssignee(issueType, userIdOfName(name)));
  if (given.my_reaction_emoji && !ctx.caller.anonymous)
    where.push(reactedWith(ctx, awardableIssue, sql`i`, given.my_reaction_emoji));
  return where;
}

function notConditions(ctx: Context, given: NotFilters, labelIds: LabelIds): Sql[] {
  const where = [...sharedConditions(ctx, given), ...labelConditions(titlesOf(given.labels ?? []), labelIds)];
  if (given.assignee_id !== undefined) where.push(hasAssignee(issueType, given.assignee_id));
  if (given.weight !== undefined && ctx.hasPlan('premium')) where.push(sql`i.weight = ${given.weight}`);
  return where.map(not);
}

/** A number, or a word about whether there is any. */
function valueCondition(column: Sql, given: number | 'none' | 'any'): Sql {
  if (given === 'none') return sql`${column} is null`;
  return given === 'any' ? sql`${column} is not null` : sql`${column} = ${given}`;
}

function assigneeCondition(given: number | 'none' | 'any'): Sql {
  // 0 is how older clients ask for nobody.
  if (given === 'none' || given === 0) return not(hasAssignees(issueType));
  return given === 'any' ? hasAssignees(issueType) : hasAssignee(issueType, given);
}

function timeConditions(ctx: Context, given: IssueFilters): Sql[] {
  const where: Sql[] = [];
  if (given.created_after) where.push(sql`i.created_at >= ${given.created_after}`);
  if (given.created_before) where.push(sql`i.created_at <= ${given.created_before}`);
  if (given.updated_after) where.push(sql`i.updated_at >= ${given.updated_after}`);
  if (given.updated_before) where.push(sql`i.updated_at <= ${given.updated_before}`);
  if (given.due_date) where.push(isDue(given.due_date, today(ctx)));
  return where;
}

/**
 * What filters say, as conditions on issues `i` (core-resources.md section 6).
 * @param labelIds of {@link titlesNamed}
 */
export function issueConditions(ctx: Context, given: IssueFilters, labelIds: LabelIds): Sql[] {
  const where = [...sharedConditions(ctx, given), ...timeConditions(ctx, given)];
  const premium = ctx.hasPlan('premium');
  where.push(...labelConditions(titlesOf(given.labels ?? []), labelIds));
  if (given.assignee_id !== undefined) where.push(assigneeCondition(given.assignee_id));
  if (given.weight !== undefined && premium) where.push(valueCondition(sql`i.weight`, given.weight));
  // None has an epic.
  if (given.epic_id !== undefined && premium) where.push(given.epic_id === 'none' ? sql`true` : sql`false`);
  if (given.confidential !== undefined) where.push(given.confidential ? sql`i.confidential` : sql`not i.confidential`);
  if (given.issue_type) where.push(sql`i.issue_type = ${given.issue_type}`);
  if (given.search)
    where.push(...searchConditions(given.search, given.in && given.in.length > 0 ? given.in : SEARCHED));
  if (given.not) where.push(and(notConditions(ctx, given.not, labelIds)));
  return where;
}

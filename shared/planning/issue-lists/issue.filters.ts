import { z } from 'zod';
import { boolean, instant, integer, list, object, oneOf, optional, text } from '../../core/operations/fields.js';
import { mutuallyExclusive } from '../../core/operations/params.js';
import { labelTitles, ISSUE_TYPES } from '../issuables/issue-values.js';
import { DUE_KEYWORDS, MILESTONE_KEYWORDS } from '../issuables/issuable-filters.js';
import { SEARCHED } from '../issuables/issuable-search.js';

/**
 * An id, or one of some keywords whatever their case, such as `None` and `Any`; else `assignee_id is invalid`.
 * @returns the id, or the keyword in lower case
 */
export function idOrKeyword<const W extends readonly Lowercase<string>[]>(message: W) {
  const isWord = (value: unknown): value is W[number] => (message as readonly unknown[]).includes(value);
  return z
    .preprocess(
      (value) => {
        const input = typeof value === 'string' ? value.trim().toLowerCase() : value;
        return typeof input === 'string' && /^\d{1,15}$/.test(input) ? Number(input) : input;
      },
      z.custom<number | W[number]>(
        (value) => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) || isWord(value),
        'is invalid',
      ),
    )
    .meta({ type: ['integer', 'string'] });
}

const IDS = 1000;
const NAMES = 100;
const NONE_OR_ANY = ['none', 'any'] as const;

/** `None`, `Any`, `Upcoming` and `Started` in any case. */
const milestoneIdOrKeyword = () => idOrKeyword(MILESTONE_KEYWORDS);

/** What `not[…]` takes as well. */
const resourceParams = {
  labels: labelTitles().describe(
    'Titles of labels that the issue has all of; `None` for issues without labels, `Any` for issues with any label.',
  ),
  milestone: optional(text()).describe(
    'Title of the milestone of the issue, or `None`, `Any`, `Upcoming` or `Started`.',
  ),
  iids: optional(list(integer(), { commas: true, max: IDS })).describe('Internal IDs of the issues.'),
  author_id: optional(integer()).describe('ID of the author of the issue.'),
  author_username: optional(text()).describe('Username of the author of the issue.'),
  assignee_username: optional(list(text(), { commas: true, max: NAMES })).describe(
    'Usernames of users that the issue is assigned to, all of them.',
  ),
  my_reaction_emoji: optional(text()).describe(
    'Name of an emoji that the caller reacted to the issue with, or `None` or `Any`.',
  ),
};

const notParams = object({
  ...resourceParams,
  milestone_id: optional(milestoneIdOrKeyword()).describe(
    'Filter by milestone: `None`, `Any`, `Upcoming` or `Started`.',
  ),
  assignee_id: optional(integer()).describe('ID of a user that the issue is assigned to.'),
  weight: optional(integer()).describe('Weight of the issue.'),
});

/** Filters of lists and statistics (core-resources.md section 6). */
export const issueFilterParams = {
  ...resourceParams,
  milestone_id: optional(milestoneIdOrKeyword()).describe(
    'Filter by milestone: `None`, `Any`, `Upcoming` or `Started`, instead of a title.',
  ),
  assignee_id: optional(idOrKeyword(NONE_OR_ANY)).describe(
    'ID of a user that the issue is assigned to, or `None` or `Any`.',
  ),
  weight: optional(idOrKeyword(NONE_OR_ANY)).describe('Weight of the issue, or `None` or `Any`. Premium.'),
  epic_id: optional(idOrKeyword(NONE_OR_ANY)).describe(
    'Global ID of the epic of the issue, or `None` or `Any`. Premium.',
  ),
  search: optional(text()).describe('Words that must all be in the title or description of the issue.'),
  in: optional(list(oneOf(SEARCHED), { commas: true })).describe(
    'Fields that `search` applies to; both title and description by default.',
  ),
  created_after: optional(instant()).describe('Returns issues created at or after this time.'),
  created_before: optional(instant()).describe('Returns issues created at or before this time.'),
  updated_after: optional(instant()).describe('Returns issues updated at or after this time.'),
  updated_before: optional(instant()).describe('Returns issues updated at or before this time.'),
  due_date: optional(oneOf(DUE_KEYWORDS)).describe(
    'Due date of the issue, relative to the current day in UTC; `0` for issues without a due date.',
  ),
  confidential: optional(boolean()).describe(
    'If `true`, returns only confidential issues; if `false`, only issues that are not confidential.',
  ),
  issue_type: optional(oneOf(ISSUE_TYPES)).describe('Filter by the type of the issue.'),
  not: optional(notParams).describe('Filters that exclude the issues that match them.'),
};

export const issueFilterRules = [
  mutuallyExclusive('milestone', 'milestone_id'),
  mutuallyExclusive('author_id', 'author_username'),
  mutuallyExclusive('assignee_id', 'assignee_username'),
];

export type IssueFilters = z.output<z.ZodObject<typeof issueFilterParams>>;
export type NotFilters = NonNullable<IssueFilters['not']>;

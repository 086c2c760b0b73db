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
  labels: labelTitles().describe('Titles of labels that it has all of; `None` for no label, `Any` for some.'),
  milestone: optional(text()).describe('Title of its milestone; `None`, `Any`, `Upcoming` or `Started`.'),
  iids: optional(list(integer(), { commas: true, max: IDS })).describe('Only these numbers.'),
  author_id: optional(integer()).describe('Id of who made it.'),
  author_username: optional(text()).describe('User name of who made it.'),
  assignee_username: optional(list(text(), { commas: true, max: NAMES })).describe('User names of all who work on it.'),
  my_reaction_emoji: optional(text()).describe('Emoji that the caller gave it; `None` or `Any`.'),
};

const notParams = object({
  ...resourceParams,
  milestone_id: optional(milestoneIdOrKeyword()).describe('`None`, `Any`, `Upcoming` or `Started`.'),
  assignee_id: optional(integer()).describe('Id of a user who works on it.'),
  weight: optional(integer()).describe('Weight.'),
});

/** Filters of lists and statistics (core-resources.md section 6). */
export const issueFilterParams = {
  ...resourceParams,
  milestone_id: optional(milestoneIdOrKeyword()).describe(
    '`None`, `Any`, `Upcoming` or `Started`, instead of a title.',
  ),
  assignee_id: optional(idOrKeyword(NONE_OR_ANY)).describe('Id of a user who works on it; `None` or `Any`.'),
  weight: optional(idOrKeyword(NONE_OR_ANY)).describe('Weight; `None` or `Any`. Premium.'),
  epic_id: optional(idOrKeyword(NONE_OR_ANY)).describe('Global id of its epic; `None` or `Any`. Premium.'),
  search: optional(text()).describe('Words that all stand in title or description.'),
  in: optional(list(oneOf(SEARCHED), { commas: true })).describe('Where `search` looks: both unless told.'),
  created_after: optional(instant()).describe('Made then or later.'),
  created_before: optional(instant()).describe('Made then or before.'),
  updated_after: optional(instant()).describe('Changed then or later.'),
  updated_before: optional(instant()).describe('Changed then or before.'),
  due_date: optional(oneOf(DUE_KEYWORDS)).describe('When it is due, by the days of now, UTC; `0` for no day.'),
  confidential: optional(boolean()).describe('Only confidential ones, or only others.'),
  issue_type: optional(oneOf(ISSUE_TYPES)).describe('Only this kind.'),
  not: optional(notParams).describe('The same filters, for what is left out.'),
};

export const issueFilterRules = [
  mutuallyExclusive('milestone', 'milestone_id'),
  mutuallyExclusive('author_id', 'author_username'),
  mutuallyExclusive('assignee_id', 'assignee_username'),
];

export type IssueFilters = z.output<z.ZodObject<typeof issueFilterParams>>;
export type NotFilters = NonNullable<IssueFilters['not']>;

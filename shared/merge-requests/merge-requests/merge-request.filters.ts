import type { z } from 'zod';
import {
  boolean,
  instant,
  integer,
  list,
  object,
  oneOf,
  optional,
  text,
  withDefault,
} from '../../core/operations/fields.js';
import { mutuallyExclusive } from '../../core/operations/params.js';
import { labelTitles } from '../../planning/issuables/issue-values.js';
import { idOrKeyword } from '../../planning/issue-lists/issue.filters.js';
import { SEARCHED } from '../../planning/issuables/issuable-search.js';

const IDS = 1000;
const NAMES = 100;
const NONE_OR_ANY = ['none', 'any'] as const;
/** Approvers that a filter names. */
const APPROVERS = 5;

/** What `not[…]` takes as well. */
const resourceParams = {
  labels: labelTitles().describe('Titles of labels that it has all of; `None` for no label, `Any` for some.'),
  milestone: optional(text()).describe('Title of its milestone; `None`, `Any`, `Upcoming` or `Started`.'),
  author_id: optional(integer()).describe('Id of who made it.'),
  author_username: optional(text()).describe('User name of who made it.'),
  assignee_username: optional(list(text(), { commas: true, max: NAMES })).describe('User names of all who work on it.'),
  reviewer_username: optional(text()).describe('User name of somebody who reviews it.'),
  my_reaction_emoji: optional(text()).describe('Emoji that the caller gave it; `None` or `Any`.'),
};

const notParams = object({
  ...resourceParams,
  assignee_id: optional(integer()).describe('Id of a user who works on it.'),
  reviewer_id: optional(integer()).describe('Id of a user who reviews it.'),
});

/** Filters of lists of merge requests (core-resources.md section 7). */
export const mergeRequestFilterParams = {
  ...resourceParams,
  state: withDefault(oneOf(['opened', 'closed', 'locked', 'merged', 'all']), 'all').describe('Only in this state.'),
  source_branch: optional(text()).describe('Only from this branch.'),
  target_branch: optional(text()).describe('Only into this branch.'),
  source_project_id: optional(integer()).describe('Only from this project.'),
  assignee_id: optional(idOrKeyword(NONE_OR_ANY)).describe('Id of a user who works on it; `None` or `Any`.'),
  reviewer_id: optional(idOrKeyword(NONE_OR_ANY)).describe('Id of a user who reviews it; `None` or `Any`.'),
  approved_by_ids: optional(list(idOrKeyword(NONE_OR_ANY), { commas: true, max: APPROVERS })).describe(
    'Ids of users who all approved it; `None` or `Any`.',
  ),
  approved_by_usernames: optional(list(text(), { commas: true, max: APPROVERS })).describe(
    'User names of users who all approved it.',
  ),
  iids: optional(list(integer(), { commas: true, max: IDS })).describe('Only these numbers.'),
  search: optional(text()).describe('Words that all stand in title or description.'),
  in: optional(list(oneOf(SEARCHED), { commas: true })).describe('Where `search` looks: both unless told.'),
  created_after: optional(instant()).describe('Made then or later.'),
  created_before: optional(instant()).describe('Made then or before.'),
  updated_after: optional(instant()).describe('Changed then or later.'),
  updated_before: optional(instant()).describe('Changed then or before.'),
  merged_after: optional(instant()).describe('Merged then or later.'),
  merged_before: optional(instant()).describe('Merged then or before.'),
  deployed_after: optional(instant()).describe('Deployed then or later.'),
  deployed_before: optional(instant()).describe('Deployed then or before.'),
  environment: optional(text()).describe('Deployed to this environment.'),
  wip: optional(oneOf(['yes', 'no'])).describe('Only drafts, or only others.'),
  draft: optional(boolean()).describe('The same.'),
  not: optional(notParams).describe('The same filters, for what is left out.'),
};

export const mergeRequestFilterRules = [
  mutuallyExclusive('author_id', 'author_username'),
  mutuallyExclusive('assignee_id', 'assignee_username'),
  mutuallyExclusive('reviewer_id', 'reviewer_username'),
];

export type MergeRequestFilters = z.output<z.ZodObject<typeof mergeRequestFilterParams>>;

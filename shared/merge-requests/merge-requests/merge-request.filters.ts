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
  labels: labelTitles().describe(
    'Titles of labels, all of which the merge request has; `None` for no label, `Any` for at least one label.',
  ),
  milestone: optional(text()).describe('Title of the milestone; `None`, `Any`, `Upcoming` or `Started`.'),
  author_id: optional(integer()).describe('ID of the author.'),
  author_username: optional(text()).describe('Username of the author.'),
  assignee_username: optional(list(text(), { commas: true, max: NAMES })).describe(
    'Usernames of users who are all assigned to the merge request.',
  ),
  reviewer_username: optional(text()).describe('Username of a reviewer.'),
  my_reaction_emoji: optional(text()).describe(
    'Name of the emoji with which the caller reacted to the merge request; `None` or `Any`.',
  ),
};

const notParams = object({
  ...resourceParams,
  assignee_id: optional(integer()).describe('ID of an assignee.'),
  reviewer_id: optional(integer()).describe('ID of a reviewer.'),
});

/** Filters of lists of merge requests (core-resources.md section 7). */
export const mergeRequestFilterParams = {
  ...resourceParams,
  state: withDefault(oneOf(['opened', 'closed', 'locked', 'merged', 'all']), 'all').describe(
    'Filter by state of the merge request.',
  ),
  source_branch: optional(text()).describe('Filter by source branch of the merge request.'),
  target_branch: optional(text()).describe('Filter by target branch of the merge request.'),
  source_project_id: optional(integer()).describe('Filter by ID of the source project.'),
  assignee_id: optional(idOrKeyword(NONE_OR_ANY)).describe('Filter by ID of an assignee; `None` or `Any`.'),
  reviewer_id: optional(idOrKeyword(NONE_OR_ANY)).describe('Filter by ID of a reviewer; `None` or `Any`.'),
  approved_by_ids: optional(list(idOrKeyword(NONE_OR_ANY), { commas: true, max: APPROVERS })).describe(
    'Filter by IDs of users who all approved the merge request; `None` or `Any`.',
  ),
  approved_by_usernames: optional(list(text(), { commas: true, max: APPROVERS })).describe(
    'Filter by usernames of users who all approved the merge request.',
  ),
  iids: optional(list(integer(), { commas: true, max: IDS })).describe('Filter by numbers of the merge requests.'),
  search: optional(text()).describe('Search for terms that all occur in the title or description.'),
  in: optional(list(oneOf(SEARCHED), { commas: true })).describe(
    'Fields that `search` covers; title and description by default.',
  ),
  created_after: optional(instant()).describe('Return merge requests created at or after this time.'),
  created_before: optional(instant()).describe('Return merge requests created at or before this time.'),
  updated_after: optional(instant()).describe('Return merge requests updated at or after this time.'),
  updated_before: optional(instant()).describe('Return merge requests updated at or before this time.'),
  merged_after: optional(instant()).describe('Return merge requests merged at or after this time.'),
  merged_before: optional(instant()).describe('Return merge requests merged at or before this time.'),
  deployed_after: optional(instant()).describe('Return merge requests deployed at or after this time.'),
  deployed_before: optional(instant()).describe('Return merge requests deployed at or before this time.'),
  environment: optional(text()).describe('Filter by environment that the merge request was deployed to.'),
  wip: optional(oneOf(['yes', 'no'])).describe('Filter by draft status: `yes` for drafts only, `no` for all others.'),
  draft: optional(boolean()).describe(
    'If `true`, returns only drafts; if `false`, only merge requests that are not drafts.',
  ),
  not: optional(notParams).describe('Filters of merge requests to exclude.'),
};

export const mergeRequestFilterRules = [
  mutuallyExclusive('author_id', 'author_username'),
  mutuallyExclusive('assignee_id', 'assignee_username'),
  mutuallyExclusive('reviewer_id', 'reviewer_username'),
];

export type MergeRequestFilters = z.output<z.ZodObject<typeof mergeRequestFilterParams>>;

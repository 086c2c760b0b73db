import { z } from 'zod';
import { boolean, clearable, clearableText, integer, list, optional } from '../../core/operations/fields.js';
import { optionalParam, labelTitles } from '../../planning/issuables/issue-values.js';

const MOST_PEOPLE = 200;

/** An id, or nobody's: 0 or nothing. */
const idOrNone = () => z.preprocess((value) => (value === '' || value === null ? 0 : value), integer());

const people = () => optionalParam(list(idOrNone(), { commas: true, max: MOST_PEOPLE }));

/** What a merge request can be made with, and what of it can be changed (core-resources.md section 7). */
export const mergeRequestParams = {
  description: clearableText().describe('What it is about, in Markdown.'),
  assignee_ids: people().describe(
    'Ids of the users who are to work on it; `0` or none at all for nobody. Who may not read the project is passed over.',
  ),
  assignee_id: optional(integer()).describe('Deprecated: the id of one user; 0 for nobody.'),
  reviewer_ids: people().describe('Ids of the users who are to review it, as with `assignee_ids`.'),
  milestone_id: clearable(integer()).describe('Id of a milestone of the project or its groups; 0 for none.'),
  labels: labelTitles().describe('Titles of all its labels; unknown ones are made for Reporters and above.'),
  remove_source_branch: clearable(boolean()).describe('Whether the source branch is removed once it is merged.'),
  squash: optional(boolean()).describe('Whether its commits become one, where the project leaves it open.'),
  allow_collaboration: optional(boolean()).describe('Whether those who may merge it may push to its source branch.'),
  allow_maintainer_to_push: optional(boolean()).describe('Deprecated: use `allow_collaboration`.'),
};

/** `Draft: …`, `[Draft] …`, `(Draft) …`, and the older `WIP`. */
const DRAFT = /^\s*(?:\[(?:draft|wip)\]|\((?:draft|wip)\)|(?:draft|wip):|(?:draft|wip)\s+-)\s*/i;

/** Whether a title says that it is not ready. */
export const isDraftTitle = (title: string): boolean => DRAFT.test(title);

import { z } from 'zod';
import { boolean, clearable, clearableText, integer, list, optional } from '../../core/operations/fields.js';
import { optionalParam, labelTitles } from '../../planning/issuables/issue-values.js';

const MOST_PEOPLE = 200;

/** An id; 0 or an empty value for no user. */
const idOrNone = () => z.preprocess((value) => (value === '' || value === null ? 0 : value), integer());

const people = () => optionalParam(list(idOrNone(), { commas: true, max: MOST_PEOPLE }));

/** Parameters for creating and updating a merge request (core-resources.md section 7). */
export const mergeRequestParams = {
  description: clearableText().describe('Description of the merge request, in Markdown.'),
  assignee_ids: people().describe(
    'IDs of the assignees; `0` or an empty list for no assignee. Users who cannot read the project are ignored.',
  ),
  assignee_id: optional(integer()).describe('Deprecated: ID of one assignee; 0 for no assignee.'),
  reviewer_ids: people().describe('IDs of the reviewers, with the same rules as `assignee_ids`.'),
  milestone_id: clearable(integer()).describe('ID of a milestone of the project or its groups; 0 for no milestone.'),
  labels: labelTitles().describe(
    'Titles of all labels of the merge request; unknown labels are created for Reporters and above.',
  ),
  remove_source_branch: clearable(boolean()).describe(
    'If `true`, the source branch is removed once the merge request is merged.',
  ),
  squash: optional(boolean()).describe(
    'If `true`, the commits are squashed into one on merge, if the project leaves the choice open.',
  ),
  allow_collaboration: optional(boolean()).describe(
    'If `true`, users who can merge the merge request can push to its source branch.',
  ),
  allow_maintainer_to_push: optional(boolean()).describe('Deprecated: use `allow_collaboration`.'),
};

/** `Draft: …`, `[Draft] …`, `(Draft) …`, and the older `WIP`. */
const DRAFT = /^\s*(?:\[(?:draft|wip)\]|\((?:draft|wip)\)|(?:draft|wip):|(?:draft|wip)\s+-)\s*/i;

/** Whether a title marks the merge request as a draft. */
export const isDraftTitle = (title: string): boolean => DRAFT.test(title);

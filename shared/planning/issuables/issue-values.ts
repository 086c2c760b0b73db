import { z } from 'zod';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import {
  boolean,
  clearable,
  clearableText,
  day,
  integer,
  list,
  oneOf,
  optional,
  text,
} from '../../core/operations/fields.js';

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 1_048_576;
const MAX_LABELS = 1000;
const MAX_ASSIGNEES = 200;

export const ISSUE_TYPES = ['issue', 'incident', 'test_case', 'task'] as const;
const SEVERITIES = ['unknown', 'low', 'medium', 'high', 'critical'] as const;

/** A list or text that may be left out; an empty one, in whatever notation, is a value. */
export const optionalParam = <S extends z.ZodType>(schema: S) => schema.optional().meta(schema.meta() ?? {});

/** An id; 0 or an empty value for no user. */
const idOrNone = () => z.preprocess((value) => (value === '' || value === null ? 0 : value), integer());

/** Titles, separated by commas also within an array, as the public API reads them. */
export const labelTitles = () => optionalParam(list(text(), { commas: true, max: MAX_LABELS }));

/** Parameters for creating and updating an issue (core-resources.md section 6). */
export const issueParams = {
  description: clearableText().describe('Description of the issue, in Markdown.'),
  assignee_ids: optionalParam(list(idOrNone(), { commas: true, max: MAX_ASSIGNEES })).describe(
    'IDs of the assignees; `0` or an empty list for no assignee. Users who cannot read the project are ignored.',
  ),
  assignee_id: optional(integer()).describe('Deprecated: ID of one assignee; 0 for no assignee.'),
  milestone_id: clearable(integer()).describe('ID of a milestone of the project or its groups; 0 for no milestone.'),
  labels: labelTitles().describe(
    'Titles of all labels of the issue; unknown labels are created for Reporters and above.',
  ),
  start_date: clearable(day()).describe('Start date of the issue.'),
  due_date: clearable(day()).describe('Due date of the issue.'),
  confidential: optional(boolean()).describe(
    'If `true`, only Planners and above, the author and the assignees can see the issue.',
  ),
  discussion_locked: optional(boolean()).describe('If `true`, only members can comment.'),
  weight: clearable(integer()).describe('Weight of the issue, from 0 up. Premium.'),
  epic_id: optional(integer()).describe(
    'ID of an epic of the group that contains the project, or of a group above; 0 for no epic. Premium.',
  ),
  issue_type: optional(oneOf(ISSUE_TYPES)).describe('Type of the issue; `issue` by default.'),
  severity: optional(oneOf(SEVERITIES)).describe('Severity of an incident.'),
};

interface IssueAttributes {
  title?: string | undefined;
  description?: string | null | undefined;
  weight?: number | null | undefined;
}

const isTooLong = (value: string, most: number) => value.length > most && [...value].length > most;

/** @throws Invalid with all that is wrong with an issue's values (rest-conventions.md section 5) */
export function requireIssueValues({ title, description, weight }: IssueAttributes): void {
  const problems: Problems = {};
  if (title !== undefined && title.trim() === '') problems.title = ["can't be blank"];
  else if (title !== undefined && isTooLong(title, MAX_TITLE))
    problems.title = [`is too long (maximum is ${MAX_TITLE} characters)`];
  if (description && isTooLong(description, MAX_DESCRIPTION))
    problems.description = [`is too long (maximum is ${MAX_DESCRIPTION} characters)`];
  if (typeof weight === 'number' && weight < 0) problems.weight = ['must be greater than or equal to 0'];
  else if (typeof weight === 'number' && weight > 2 ** 31 - 1)
    problems.weight = ['must be less than or equal to 2147483647'];
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** The requested assignees, from either parameter; undefined if both are omitted. */
export function readAssigneeIds(input: {
  assignee_ids?: readonly number[] | undefined;
  assignee_id?: number | undefined;
}): readonly number[] | undefined {
  return input.assignee_ids ?? (input.assignee_id === undefined ? undefined : [input.assignee_id]);
}

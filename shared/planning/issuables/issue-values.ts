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

/** An id, or nobody's: 0 or nothing. */
const idOrNone = () => z.preprocess((value) => (value === '' || value === null ? 0 : value), integer());

/** Titles, separated by commas also within an array, as the public API reads them. */
export const labelTitles = () => optionalParam(list(text(), { commas: true, max: MAX_LABELS }));

/** What an issue can be made with, and what of it can be changed (core-resources.md section 6). */
export const issueParams = {
  description: clearableText().describe('What it is about, in Markdown.'),
  assignee_ids: optionalParam(list(idOrNone(), { commas: true, max: MAX_ASSIGNEES })).describe(
    'Ids of the users who are to work on it; `0` or none at all for nobody. Who may not read the project is passed over.',
  ),
  assignee_id: optional(integer()).describe('Deprecated: the id of one user; 0 for nobody.'),
  milestone_id: clearable(integer()).describe('Id of a milestone of the project or its groups; 0 for none.'),
  labels: labelTitles().describe('Titles of all its labels; unknown ones are made for Reporters and above.'),
  start_date: clearable(day()).describe('The day on which work on it begins.'),
  due_date: clearable(day()).describe('The day on which it is to be done.'),
  confidential: optional(boolean()).describe('Whether it is for Planners and above, its author and assignees alone.'),
  discussion_locked: optional(boolean()).describe('Whether only members may comment.'),
  weight: clearable(integer()).describe('How much work it is, from 0 up. Premium.'),
  epic_id: optional(integer()).describe(
    'Id of an epic of the group around its project, or of one above; 0 for none. Premium.',
  ),
  issue_type: optional(oneOf(ISSUE_TYPES)).describe('What kind of issue it is; `issue` unless told.'),
  severity: optional(oneOf(SEVERITIES)).describe('How bad an incident is.'),
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

/** The assignees that were asked for, by the one or the other parameter; undefined where nothing was said of them. */
export function readAssigneeIds(input: {
  assignee_ids?: readonly number[] | undefined;
  assignee_id?: number | undefined;
}): readonly number[] | undefined {
  return input.assignee_ids ?? (input.assignee_id === undefined ? undefined : [input.assignee_id]);
}

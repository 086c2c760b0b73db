import { boolean, clearable, clearableText, day, integer, optional, text } from '../../core/operations/fields.js';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import { optionalParam, labelTitles } from '../issuables/issue-values.js';
import { colorCode } from '../labels/label-colors.js';

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 1_048_576;
/** Of epics for which none was chosen. */
export const DEFAULT_COLOR = '#1068bf';

/** What an epic can be made with, and what of it can be changed (core-resources.md section 8). */
export const epicParams = {
  description: clearableText().describe('What it is about, in Markdown.'),
  labels: labelTitles().describe('Titles of all its labels; unknown ones are made in its group.'),
  confidential: optional(boolean()).describe('Whether it is for Planners and above and its author alone.'),
  color: optional(text()).describe('Its colour: `#rgb`, `#rrggbb` or a name that CSS has for it.'),
  start_date_is_fixed: optional(boolean()).describe('Whether it begins on `start_date_fixed`, not with what is below.'),
  start_date_fixed: clearable(day()).describe('The day on which it begins, `YYYY-MM-DD`.'),
  due_date_is_fixed: optional(boolean()).describe('Whether it ends on `due_date_fixed`, not with what is below.'),
  due_date_fixed: clearable(day()).describe('The day on which it ends, `YYYY-MM-DD`.'),
  parent_id: optionalParam(clearable(integer())).describe('Global id of the epic above it; 0 for none.'),
};

interface EpicAttributes {
  title?: string | undefined;
  description?: string | null | undefined;
  color?: string | undefined;
}

const isTooLong = (value: string, most: number) => value.length > most && [...value].length > most;

/** @throws Invalid with all that is wrong with an epic's values (rest-conventions.md section 5) */
export function requireEpicValues({ title, description, color }: EpicAttributes): void {
  const problems: Problems = {};
  if (title !== undefined && title.trim() === '') problems.title = ["can't be blank"];
  else if (title !== undefined && isTooLong(title, MAX_TITLE))
    problems.title = [`is too long (maximum is ${MAX_TITLE} characters)`];
  if (description && isTooLong(description, MAX_DESCRIPTION))
    problems.description = [`is too long (maximum is ${MAX_DESCRIPTION} characters)`];
  if (color !== undefined && colorCode(color) === null) problems.color = ['must be a valid color code'];
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

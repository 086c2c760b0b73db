import { boolean, clearable, clearableText, day, integer, optional, text } from '../../core/operations/fields.js';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import { optionalParam, labelTitles } from '../issuables/issue-values.js';
import { colorCode } from '../labels/label-colors.js';

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 1_048_576;
/** Of epics for which none was chosen. */
export const DEFAULT_COLOR = '#1068bf';

/** Parameters for creating and updating an epic (core-resources.md section 8). */
export const epicParams = {
  description: clearableText().describe('Description of the epic, in Markdown.'),
  labels: labelTitles().describe('Titles of all labels of the epic; unknown labels are created in its group.'),
  confidential: optional(boolean()).describe('If `true`, only Planners and above and the author can see the epic.'),
  color: optional(text()).describe('Colour of the epic: `#rgb`, `#rrggbb` or a CSS colour name.'),
  start_date_is_fixed: optional(boolean()).describe(
    'If `true`, the epic begins on `start_date_fixed` instead of with the items below it.',
  ),
  start_date_fixed: clearable(day()).describe('Fixed start date of the epic, `YYYY-MM-DD`.'),
  due_date_is_fixed: optional(boolean()).describe(
    'If `true`, the epic ends on `due_date_fixed` instead of with the items below it.',
  ),
  due_date_fixed: clearable(day()).describe('Fixed due date of the epic, `YYYY-MM-DD`.'),
  parent_id: optionalParam(clearable(integer())).describe('Global ID of the parent epic; 0 for no parent.'),
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

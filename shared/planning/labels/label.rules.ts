import { onUniqueViolation } from '../../core/values/database-errors.js';
import { Conflict, Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import { colorCode } from './label-colors.js';

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 512 * 1024;

const ALREADY = 'Label already exists';

/** A label of that title is there, in the project or group itself or in a group above it. */
export const labelExists = (): Conflict => new Conflict(ALREADY);

onUniqueViolation('labels_project_title', labelExists);
onUniqueViolation('labels_namespace_title', labelExists);

const isTooLong = (value: string, most: number) => value.length > most && [...value].length > most;
const tooLong = (most: number) => `is too long (maximum is ${most} characters)`;

function titleProblems(title: string): string[] {
  const problems: string[] = [];
  if (title === '') problems.push("can't be blank");
  // Lists of labels are written with commas between them.
  if (title === '' || title.includes(',')) problems.push('is invalid');
  if (isTooLong(title, MAX_TITLE)) problems.push(tooLong(MAX_TITLE));
  return problems;
}

/** What callers give a label. */
export interface LabelValues {
  title?: string | undefined;
  color?: string | undefined;
  description?: string | null | undefined;
}

/** The same values as stored; omitted values stay omitted. */
export interface StoredLabelValues {
  title?: string;
  color?: string;
  description?: string | null;
}

/**
 * Values as they are stored: the title without spaces around it, the colour as its code.
 * @throws Invalid with everything that is wrong (core-resources.md section 8)
 */
export function readLabelValues({ title, color, description }: LabelValues): StoredLabelValues {
  const problems: Problems = {};
  const values: StoredLabelValues = {};
  if (title !== undefined) {
    values.title = title.trim();
    const wrong = titleProblems(values.title);
    if (wrong.length > 0) problems.title = wrong;
  }
  if (color !== undefined) {
    const code = colorCode(color);
    if (code === null) problems.color = ['must be a valid color code'];
    else values.color = code;
  }
  if (description !== undefined) {
    values.description = description;
    if (isTooLong(description ?? '', MAX_DESCRIPTION)) problems.description = [tooLong(MAX_DESCRIPTION)];
  }
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
  return values;
}

/** A new title that another label has. */
export const titleTakenError = (): Invalid => new Invalid({ title: ['has already been taken'] });

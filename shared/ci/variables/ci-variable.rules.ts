import type { Problems } from '../../core/values/errors.js';
import { keyProblems } from '../pipeline-schedules/schedule-variable-list.js';

const MAX_VALUE = 10_000;
const MAX_TEXT = 255;
/** What runners can mask; the value of a raw variable may hold more signs, since nothing in it is expanded. */
const MASKABLE = /^[\w+=/@:.~-]{8,}$/;
const MASKABLE_RAW = /^[^\s\p{Cc}]{8,}$/u;
const SCOPE = /^[\w/${}. *-]+$/;

const isTooLong = (value: string, most: number) => value.length > most && [...value].length > most;
const tooLong = (most: number) => `is too long (maximum is ${most} characters)`;

/** The attributes that rules are about; of those that are left out nothing is checked. */
export interface VariableAttributes {
  key: string;
  value?: string | undefined;
  masked: boolean;
  raw: boolean;
  environment_scope: string;
  description?: string | null | undefined;
}

function valueProblems({ value, masked, raw }: VariableAttributes): string[] {
  if (value === undefined) return [];
  const problems: string[] = [];
  if (isTooLong(value, MAX_VALUE)) problems.push(tooLong(MAX_VALUE));
  // A value of several lines, or a short one, would not be found in a log, or too often.
  if (masked && !(raw ? MASKABLE_RAW : MASKABLE).test(value)) problems.push('is invalid');
  return problems;
}

function scopeProblems(scope: string): string[] {
  const problems: string[] = [];
  if (scope.trim() === '') problems.push("can't be blank");
  if (isTooLong(scope, MAX_TEXT)) problems.push(tooLong(MAX_TEXT));
  if (!SCOPE.test(scope))
    problems.push("can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces");
  return problems;
}

/** Problems with a variable's own values, by attribute (ci-execution.md section 7). */
export function variableProblems(attributes: VariableAttributes): Problems {
  const { key, environment_scope: scope, description } = attributes;
  const found: [string, string[]][] = [
    ['key', keyProblems(key)],
    ['value', valueProblems(attributes)],
    ['environment_scope', scopeProblems(scope)],
    ['description', isTooLong(description ?? '', MAX_TEXT) ? [tooLong(MAX_TEXT)] : []],
  ];
  return Object.fromEntries(found.filter(([, problems]) => problems.length > 0));
}

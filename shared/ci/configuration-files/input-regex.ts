import { RE2JS, RE2JSException } from 're2js';
import { measureExpression } from '../../core/expressions/expression-size.js';

/** Characters of a pattern. */
const MAX_PATTERN = 1000;
/** Characters of a value that are searched. */
const MAX_VALUE = 64 * 1024;
/** Instructions of an expression, somewhat overestimated. */
const MAX_STEPS = 5000;
const MAX_WIDE_CLASSES = 20;

/** Whether a value has a match of a pattern in RE2 syntax; undefined for a pattern that is invalid or too large. */
export function matchInput(pattern: string, value: string): boolean | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  const { steps, wideClasses } = measureExpression(pattern);
  if (steps > MAX_STEPS || wideClasses > MAX_WIDE_CLASSES) return undefined;
  try {
    return RE2JS.compile(pattern).test(value.slice(0, MAX_VALUE));
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}

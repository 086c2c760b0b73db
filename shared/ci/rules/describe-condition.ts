import type { Lookup, Operand } from './rules.types.js';

const MAX_PART = 255;
const MAX_CLAUSE = 1_000;
/** Characters of a value that an explanation repeats. */
const MAX_VALUE = 1_000;

/** Cuts the text of a condition at 255 characters. */
export function cutPart(text: string): string {
  return cutText(text, MAX_PART);
}

/** Cuts the text of a whole rule at 1,000 characters. */
export function cutClause(text: string): string {
  return cutText(text, MAX_CLAUSE);
}

function cutText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Joins texts with commas, and reads no more of them than a clause can show. */
export function joinTexts(texts: readonly string[]): string {
  let text = '';
  for (const [index, part] of texts.entries()) {
    if (text.length > MAX_CLAUSE) break;
    text += (index === 0 ? '' : ', ') + part.slice(0, MAX_CLAUSE);
  }
  return text;
}

/** A variable and its visible value; of more than 1,000 characters only the length appears. */
export function describeOperand(name: string, lookup: Lookup): Operand {
  return describeValue(name, (lookup.visible ?? lookup)(name) ?? null);
}

/** As `describeOperand`, of a value that is at hand. */
export function describeValue(name: string, value: string | null): Operand {
  if (value !== null && value.length > MAX_VALUE) return { name, value: '', length: value.length };
  return { name, value };
}

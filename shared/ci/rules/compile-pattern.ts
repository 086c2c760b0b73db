import { RE2JS } from 're2js';
import { readThrough } from './read-through.js';

/** Characters of a pattern. */
const MAX_PATTERN = 1_000;
/** Characters of the text that is searched. */
const MAX_INPUT = 64 * 1_024;
/** Instructions of a program; `.{1,1000}` has 2,000. */
const MAX_PROGRAM = 2_500;
/** Instructions times characters: about a second in the worst case. */
const MAX_WORK = 30_000_000;
/** Each may hold some megabytes of states. */
const MAX_CACHE = 64;

/** A pattern that is ready for `testPattern`. */
export type Pattern = RE2JS;

const cache = new Map<string, Pattern | null>();

/**
 * Compiles what a user wrote between slashes, in RE2's syntax, with flags out of `i s m U`. Returns null for a pattern
 * that is invalid, longer than 1,000 characters, or that would become too large a program.
 */
export function compilePattern(body: string, flags: string): Pattern | null {
  if (body.length > MAX_PATTERN) return null;
  const source = flags === '' ? body : `(?${[...new Set(flags)].join('')})${body}`;
  return readThrough(cache, MAX_CACHE, source, () => compileSource(source));
}

function compileSource(source: string): Pattern | null {
  try {
    const pattern = RE2JS.compile(source);
    return pattern.programSize() > MAX_PROGRAM ? null : pattern;
  } catch {
    return null;
  }
}

/** Splits `/re/flags` at its outermost slashes; null when the text is not of that form. */
export function splitPattern(text: string): { body: string; flags: string } | null {
  const end = text.lastIndexOf('/');
  if (end < 1 || !text.startsWith('/')) return null;
  const flags = text.slice(end + 1);
  return /^[ismU]*$/.test(flags) ? { body: text.slice(1, end), flags } : null;
}

/** Compiles `/re/flags`; null when the text is not of that form or does not compile. */
export function readPattern(text: string): Pattern | null {
  const parts = splitPattern(text);
  return parts === null ? null : compilePattern(parts.body, parts.flags);
}

/** Whether the pattern is found in the text, of which only the first 64 KiB count (less for very large patterns). */
export function testPattern(pattern: Pattern, text: string): boolean {
  const length = Math.min(MAX_INPUT, Math.floor(MAX_WORK / Math.max(1, pattern.programSize())));
  return pattern.test(text.length > length ? text.slice(0, length) : text);
}

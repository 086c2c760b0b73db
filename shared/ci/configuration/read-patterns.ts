import { compilePattern, splitPattern } from '../rules/compile-pattern.js';
import { checkRef } from '../rules/match-refs.js';
import type { Value } from '../configuration-model/configuration.types.js';
import { countValues, reject } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readString } from './read-shapes.js';

/**
 * Reads `coverage`: a pattern between slashes, as RE2 takes it. The result has no slashes; flags become a group at
 * its begin.
 */
export function readCoverage(value: Value, at: KeywordScope): string | undefined {
  const text = readString(value, at);
  if (text === undefined) return undefined;
  const parts = splitPattern(text);
  if (!parts || !compilePattern(parts.body, parts.flags))
    return reject(at, 'must be a regular expression with re2 syntax');
  return parts.flags === '' ? parts.body : `(?${[...new Set(parts.flags)].join('')})${parts.body}`;
}

/** Reads refs of `only` and `except`: names, or patterns between slashes. */
export function readRefs(value: Value, at: KeywordScope): string[] | undefined {
  const valid = Array.isArray(value) && areRefs(value, at);
  return valid ? value : reject(at, 'should be an array of strings or regular expressions using re2 syntax');
}

function areRefs(refs: Value[], at: KeywordScope): refs is string[] {
  countValues(at, refs.length);
  return refs.every((ref) => typeof ref === 'string' && checkRef(ref));
}

import { compileGlob, hasWildcards } from './glob-pattern.js';

/** Comparisons of a path with a glob for one condition. */
const MAX_COMPARISONS = 50_000;
/** Globs whose result is remembered for one array of paths. */
const MAX_RESULTS = 10_000;

interface PathIndex {
  paths: ReadonlySet<string>;
  results: Map<string, boolean>;
}

/** Goes with the arrays: 2,000 jobs with the same globs compare once. */
const indexes = new WeakMap<readonly string[], PathIndex>();

/** `too_many`: the comparisons would be more than 50,000, which counts as a match. */
export type PathMatch = 'match' | 'no_match' | 'too_many';

/** Whether any path matches any glob; true without a look where that would take more than 50,000 comparisons. */
export function matchesAny(patterns: readonly string[], paths: readonly string[]): boolean {
  return matchPaths(patterns, paths) !== 'no_match';
}

/**
 * Looks for a path that matches a glob (see `compileGlob`; a leading `/` is dropped). Patterns without wildcards are
 * looked up and count as no comparison. The array of paths must not change afterwards.
 */
export function matchPaths(patterns: readonly string[], paths: readonly string[]): PathMatch {
  const globs = [...new Set(patterns.map((pattern) => (pattern.startsWith('/') ? pattern.slice(1) : pattern)))];
  const index = indexPaths(paths);
  const plain = globs.filter((glob) => !hasWildcards(glob));
  if (plain.some((glob) => index.paths.has(glob))) return 'match';
  const wild = globs.filter((glob) => hasWildcards(glob));
  if (wild.length * paths.length > MAX_COMPARISONS) return 'too_many';
  return wild.some((glob) => matchGlob(glob, paths, index)) ? 'match' : 'no_match';
}

function indexPaths(paths: readonly string[]): PathIndex {
  const known = indexes.get(paths);
  if (known) return known;
  const index = { paths: new Set(paths), results: new Map<string, boolean>() };
  indexes.set(paths, index);
  return index;
}

function matchGlob(glob: string, paths: readonly string[], index: PathIndex): boolean {
  const known = index.results.get(glob);
  if (known !== undefined) return known;
  const pattern = compileGlob(glob);
  const prefix = glob.slice(0, glob.search(/[*?[\]{}\\]/));
  const result = pattern !== null && paths.some((path) => path.startsWith(prefix) && pattern.test(path));
  if (index.results.size < MAX_RESULTS) index.results.set(glob, result);
  return result;
}

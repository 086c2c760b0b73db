import type { GitExtras } from './environment.js';
import { GitFailed } from './errors.js';

/**
 * What keeps git from taking memory for what it compares. Files from 4 MiB on count as binary: of one that is nothing
 * but line ends git needs 120 times its size. Nothing larger than 64 MiB is read as a whole: git then ends.
 */
const BOUNDS: GitExtras = {
  settings: { 'core.bigFileThreshold': '4m' },
  variables: { GIT_ALLOC_LIMIT: '64m' },
};

/** How git compares the files of commits. */
export interface Comparing {
  /** Options that say which renames it finds. */
  renames: readonly string[];
  extras: GitExtras;
  /** Something is there that is too large to be read as a whole. */
  large: boolean;
}

/** Renamed files that also changed, and renamed files alone, which are found by their ids without reading them. */
const LIKE: Comparing = { renames: ['--find-renames', '-l200'], extras: BOUNDS, large: false };
const SAME: Comparing = { ...LIKE, renames: ['--find-renames=100%'] };

/** Whether git ended because it should have read more than it may. */
export const wasTooLarge = (error: unknown): boolean =>
  error instanceof GitFailed && error.stderr.includes('attempting to allocate');

/**
 * Runs a comparison of the files of commits: it detects renames of modified files unless a file is too large to be
 * read. In that case it runs again without this.
 * @param exact detect only renames of unmodified files from the start
 */
export async function comparingFiles<R>(
  compare: (how: Comparing) => Promise<R>,
  { exact = false }: { exact?: boolean } = {},
): Promise<R> {
  try {
    return await compare(exact ? SAME : LIKE);
  } catch (error) {
    if (!wasTooLarge(error)) throw error;
    return compare({ ...SAME, large: true });
  }
}

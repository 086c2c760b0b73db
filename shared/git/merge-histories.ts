import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { wasTooLarge } from './compare-files.js';
import type { GitExtras } from './environment.js';
import { GitFailed, RevisionNotFound } from './errors.js';
import type { Repository } from './pools.js';
import { MERGE_BOUNDS } from './merge-trees.js';
import { isSha, requireSha } from './object-ids.js';
import { QUARANTINE_PREFIX, quarantineVariables } from './push/quarantine.js';
import { scanGit } from './run.js';

/** Full ids of the commits that are merged: `theirs` into `ours`. */
export interface MergedCommits {
  ours: string;
  theirs: string;
}

/** The tree that a merge gives, or why there is none. */
export type HistoryMerge = { tree: string } | { failure: 'conflict' | 'unrelated' };

/** Of a job, as long as a request has: files that conflict are written one by one. */
const TIME_MS = 120_000;

async function merge(
  repository: Repository,
  { ours, theirs }: MergedCommits,
  more: Required<GitExtras>,
): Promise<HistoryMerge> {
  const args = ['merge-tree', '--write-tree', '--no-messages', '--name-only', requireSha(ours), requireSha(theirs)];
  // The id comes first; the names of the conflicting files follow and are not needed.
  let output = '';
  const take = (chunk: Buffer) => {
    if (output.length < 40) output += chunk.toString('latin1', 0, 41);
  };
  const { settings, variables } = MERGE_BOUNDS;
  const extras = { settings: { ...settings, ...more.settings }, variables: { ...variables, ...more.variables } };
  try {
    const { exitCode } = await scanGit(repository, args, take, {
      pool: 'write',
      exitCodes: [0, 1],
      extras,
      timeoutMs: TIME_MS,
    });
    const tree = output.slice(0, 40);
    if (exitCode === 1 && tree === '') throw new RevisionNotFound(theirs);
    if (!isSha(tree)) throw new GitFailed('merge-tree', exitCode, `printed "${tree}"`);
    return exitCode === 0 ? { tree } : { failure: 'conflict' };
  } catch (error) {
    if (wasTooLarge(error)) return { failure: 'conflict' };
    if (!(error instanceof GitFailed)) throw error;
    if (/unrelated histories/.test(error.stderr)) return { failure: 'unrelated' };
    throw /not something we can merge|not a valid object|could not (parse|get|read)/i.test(error.stderr)
      ? new RevisionNotFound(theirs)
      : error;
  }
}

/**
 * Merges commits by their histories without a working tree, and stores the resulting tree. Conflicts are not listed,
 * however large they are. A file over 128 MiB that both sides changed counts as a conflict. One process.
 * @throws RevisionNotFound if a commit does not exist; else as scanGit
 */
export function mergeHistories(repository: Repository, commits: MergedCommits): Promise<HistoryMerge> {
  return merge(repository, commits, { settings: {}, variables: {} });
}

/**
 * Whether commits could be merged. git's resulting objects, including conflicts, are written outside the repository's
 * objects and discarded: frequent checks must not fill the disk.
 * @throws as {@link mergeHistories}
 */
export async function tryMerge(
  repository: Repository,
  commits: MergedCommits,
): Promise<'mergeable' | 'conflict' | 'unrelated'> {
  const path = typeof repository === 'string' ? repository : repository.path;
  // Left behind by a crash, it is removed like the objects of a push.
  const aside = join(path, 'objects', `${QUARANTINE_PREFIX}${randomBytes(8).toString('hex')}`);
  await mkdir(aside);
  try {
    const variables = quarantineVariables(path, aside);
    const result = await merge(repository, commits, { settings: { 'core.fsync': 'none' }, variables });
    return 'tree' in result ? 'mergeable' : result.failure;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

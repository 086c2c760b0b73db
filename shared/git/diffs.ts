import { DiffReader } from './diff-reader.js';
import type { DiffPage } from './diff-reader.js';
import { GitFailed } from './errors.js';
import type { Repository } from './lanes.js';
import { requireSha } from './object-ids.js';
import { onCommit } from './revisions.js';
import { scanGit } from './run.js';

/** What a commit without a parent is compared with. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** From one commit or tree to another, both full ids. */
export interface DiffRange {
  from: string;
  to: string;
}

const ARGS = ['diff-tree', '-r', '-z', '--raw', '--patch', '-l200', '--no-ext-diff', '--no-textconv'];

/** Renamed files that also changed, and renamed files alone: those are found by their ids, without reading them. */
const LIKE = '--find-renames';
const SAME = '--find-renames=100%';

/**
 * Files from 4 MiB on count as binary: of one that is nothing but line ends git needs 120 times its size to compare it.
 * Nothing larger than 64 MiB is read to find what was renamed either: git then ends.
 */
const BOUNDS = {
  settings: { 'core.bigFileThreshold': '4m' },
  variables: { GIT_ALLOC_LIMIT: '64m' },
};

const isTooLargeToCompare = (error: unknown) =>
  error instanceof GitFailed && error.stderr.includes('attempting to allocate');

async function readPage(
  repository: Repository,
  { from, to }: DiffRange,
  { skip, limit }: { skip: number; limit: number },
  renames: string,
): Promise<DiffPage> {
  const reader = new DiffReader(skip, limit);
  const args = [...ARGS, renames, requireSha(from), requireSha(to), '--'];
  await onCommit(to, scanGit(repository, args, reader.take, { lane: 'long', extras: BOUNDS }));
  return reader.page();
}

/**
 * The files that differ from one commit or tree to another in the order of their paths: `limit` of them from `skip` on,
 * counted from 0. One process, which ends with the page; what it tells is bounded as {@link DiffReader} says.
 * @throws RevisionNotFound; else as scanGit
 */
export async function readDiffs(
  repository: Repository,
  range: DiffRange,
  page: { skip: number; limit: number },
): Promise<DiffPage> {
  try {
    return await readPage(repository, range, page, LIKE);
  } catch (error) {
    if (!isTooLargeToCompare(error)) throw error;
    return readPage(repository, range, page, SAME);
  }
}

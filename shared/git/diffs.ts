import { comparingFiles, type Comparing } from './compare-files.js';
import { DiffReader } from './diff-reader.js';
import type { DiffPage, DiffPageOptions } from './diff-reader.js';
import { largeFiles } from './large-files.js';
import type { Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { onCommit } from './revisions.js';
import { scanGit } from './run.js';

/** The other side of the comparison for a commit without a parent. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** From one commit or tree to another, both full ids. */
export interface DiffRange {
  from: string;
  to: string;
}

const ARGS = ['diff-tree', '-r', '-z', '--no-ext-diff', '--no-textconv'];

async function readAtOnce(repository: Repository, { from, to }: DiffRange, options: DiffPageOptions, how: Comparing) {
  const reader = new DiffReader(options);
  const args = [...ARGS, '--raw', '--patch', ...how.renames, from, to, '--', ...(options.paths ?? [])];
  await scanGit(repository, args, reader.take, { pool: 'long', extras: how.extras });
  return reader.page();
}

/**
 * Like {@link readAtOnce}, for ranges in which git would read a file that is too large only to report that it was added
 * or deleted: the text for such files is known in advance, and git compares the others. Four processes.
 */
async function readAround(repository: Repository, range: DiffRange, options: DiffPageOptions, how: Comparing) {
  const large = await largeFiles(repository, range, how);
  const reader = new DiffReader(options, new Set(large));
  const { from, to } = range;
  const list = [...ARGS, '--raw', ...how.renames, from, to, '--', ...(options.paths ?? [])];
  await scanGit(repository, list, reader.take, { pool: 'long', extras: how.extras });
  if (reader.endList()) return reader.page();
  const pathspecs = options.paths?.map((path) => `:(literal)${path}`) ?? ['.'];
  const others = [...pathspecs, ...large.map((path) => `:(exclude,literal)${path}`)];
  const patch = [...ARGS, '--patch', ...how.renames, from, to, '--', ...others];
  const variables = { ...how.extras.variables, GIT_LITERAL_PATHSPECS: '0' };
  await scanGit(repository, patch, reader.take, { pool: 'long', extras: { ...how.extras, variables } });
  return reader.page();
}

/**
 * The files that differ between two commits or trees, in the order of their paths: `limit` of them starting at `skip`,
 * counted from 0. One process, which ends with the page; the size of the result is bounded by {@link DiffReader}.
 * @throws RevisionNotFound; GitOutputTooLarge if more than a thousand files of 4 MiB were added or deleted; else as
 * scanGit
 */
export async function readDiffs(repository: Repository, range: DiffRange, options: DiffPageOptions): Promise<DiffPage> {
  requireSha(range.from);
  requireSha(range.to);
  const read = (how: Comparing) => (how.large ? readAround : readAtOnce)(repository, range, options, how);
  return onCommit(range.to, comparingFiles(read));
}

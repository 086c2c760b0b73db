import { comparingFiles } from './compare-files.js';
import type { DiffRange } from './diffs.js';
import type { Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { eachRecord } from './output-records.js';
import { onCommit } from './revisions.js';
import { runGitText, scanGit } from './run.js';

const NUL = 0;
const newline = 0x0a;
const shaBytes = 64;
/** Only how long a path is counts here. */
const PATH_BYTES = 16;
/** Of a path that is read; longer ones are cut. */
const LONGEST_PATH = 8 * 1024;

/** How many commits `to` has beyond `from`; both are full ids. @throws RevisionNotFound */
export async function countRange(repository: Repository, { from, to }: DiffRange): Promise<number> {
  const args = ['rev-list', '--count', requireSha(to), `^${requireSha(from)}`, '--'];
  return Number(await onCommit(to, runGitText(repository, args, { pool: 'long' })));
}

/** The ids of the commits that `to` has beyond `from`, the newest first, `most` of them. @throws RevisionNotFound */
export async function listRange(repository: Repository, { from, to }: DiffRange, most: number): Promise<string[]> {
  const shas: string[] = [];
  const take = eachRecord(newline, shaBytes, (line) => {
    shas.push(line.toString('latin1'));
  });
  const args = ['rev-list', `--max-count=${most}`, requireSha(to), `^${requireSha(from)}`, '--'];
  await onCommit(to, scanGit(repository, args, take, { pool: 'long' }));
  return shas;
}

/** How many files differ from one commit or tree to another, `most` at most; a renamed file is one. @throws RevisionNotFound */
export async function countFiles(repository: Repository, { from, to }: DiffRange, most: number): Promise<number> {
  return onCommit(
    to,
    comparingFiles(async ({ renames, extras }) => {
      let count = 0;
      const take = eachRecord(NUL, PATH_BYTES, () => {
        count += 1;
        return count >= most;
      });
      const args = ['diff-tree', '-r', '-z', '--name-only', ...renames, requireSha(from), requireSha(to), '--'];
      await scanGit(repository, args, take, { pool: 'long', extras });
      return count;
    }),
  );
}

/**
 * Paths of the files that differ from one commit to another, old and new ones of renamed files; null for more than
 * `most`. @throws RevisionNotFound
 */
export async function listChangedFiles(
  repository: Repository,
  { from, to }: DiffRange,
  most: number,
): Promise<string[] | null> {
  const paths: string[] = [];
  const take = eachRecord(NUL, LONGEST_PATH, (path) => {
    paths.push(path.toString('utf8'));
    return paths.length > most;
  });
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', requireSha(from), requireSha(to), '--'];
  await onCommit(to, scanGit(repository, args, take, { pool: 'long' }));
  return paths.length > most ? null : paths;
}

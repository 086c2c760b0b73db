import { wasTooLarge } from './compare-files.js';
import { GitFailed, RevisionNotFound } from './errors.js';
import type { Repository } from './pools.js';
import { isSha } from './object-ids.js';
import { newObject, storeObjects } from './pack.js';
import { scanGit } from './run.js';

/** Trees by their ids: what changes from `base` to `theirs` is brought into `ours`. */
export interface TreeMerge {
  base: string;
  ours: string;
  theirs: string;
}

const PERSON = 'Merge <merge@localhost> 0 +0000';

/** Nothing larger is read to be merged line by line, and renames are looked for among so many files. */
export const MERGE_BOUNDS = {
  settings: { 'merge.renameLimit': '1000' },
  variables: { GIT_ALLOC_LIMIT: '128m' },
};

const commitOn = (tree: string, parents: string[]) =>
  newObject(
    'commit',
    Buffer.from(
      [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), `author ${PERSON}`, `committer ${PERSON}`, '', ''].join(
        '\n',
      ),
    ),
  );

/**
 * Merges trees without a working tree, and answers the id of what comes out, or null where they conflict. A file over
 * 128 MiB that both sides changed conflicts.
 * git finds what to compare with by itself, from the histories of two commits: so it is given commits of these
 * trees, which no ref ever leads to; the same ones each time, so that repeating a merge stores nothing more. Two processes.
 * @throws RevisionNotFound where a tree is not there; else as scanGit
 */
export async function mergeTrees(repository: Repository, { base, ours, theirs }: TreeMerge): Promise<string | null> {
  const from = commitOn(base, []);
  const sides = [ours, theirs].map((tree) => commitOn(tree, [from.sha]));
  await storeObjects(repository, [from, ...sides]);
  const args = ['merge-tree', '--write-tree', '--no-messages', '--name-only', ...sides.map(({ sha }) => sha)];
  // The id comes first; behind it are the names of what conflicts.
  let output = '';
  const take = (chunk: Buffer) => {
    if (output.length < 40) output += chunk.toString('latin1', 0, 41);
  };
  try {
    const { exitCode } = await scanGit(repository, args, take, {
      pool: 'write',
      exitCodes: [0, 1],
      extras: MERGE_BOUNDS,
    });
    const tree = output.slice(0, 40);
    if (!isSha(tree)) throw new GitFailed('merge-tree', exitCode, `printed "${tree}"`);
    return exitCode === 0 ? tree : null;
  } catch (error) {
    if (wasTooLarge(error)) return null;
    throw error instanceof GitFailed && /not a valid object/i.test(error.stderr) ? new RevisionNotFound(theirs) : error;
  }
}

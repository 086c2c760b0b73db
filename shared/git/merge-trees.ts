import { wasTooLarge } from './compare-files.js';
import { GitFailed, RevisionNotFound } from './errors.js';
import type { Repository } from './pools.js';
import { isSha } from './object-ids.js';
import { newObject, storeObjects } from './pack.js';
import { scanGit } from './run.js';

/** Trees by their ids: the changes from `base` to `theirs` are applied to `ours`. */
export interface TreeMerge {
  base: string;
  ours: string;
  theirs: string;
}

const PERSON = 'Merge <merge@localhost> 0 +0000';

/** Size limit of files to merge line by line, and the number of files for rename detection. */
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
 * Merges trees without a working tree, and returns the id of the result, or null on a conflict. A file over 128 MiB
 * that both sides changed counts as a conflict.
 * git finds the merge base itself, from the histories of two commits; so it gets commits of these trees that no ref
 * ever points to. They are the same each time, so that repeating a merge stores nothing more. Two processes.
 * @throws RevisionNotFound if a tree does not exist; else as scanGit
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

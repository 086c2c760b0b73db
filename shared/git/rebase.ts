import { commitAnew, parseCommit } from './commit-object.js';
import type { StoredCommit } from './commit-object.js';
import { emptyTree } from './diffs.js';
import type { Identity } from './identity.js';
import type { Repository } from './pools.js';
import { mergeTrees } from './merge-trees.js';
import { requireSha } from './object-ids.js';
import { readObjects } from './objects.js';
import { storeObjects } from './pack.js';
import type { NewObject } from './pack.js';
import { runGitText } from './run.js';

export interface Rebase {
  /** The last of the commits to rebase, and the commit to rebase them onto. Both full ids. */
  head: string;
  onto: string;
  /** Of the new commits; who wrote them stays. */
  committer: Identity;
  at: Date;
  /** Ends it between two commits. */
  signal?: AbortSignal;
}

/** The last of the new commits; `onto` if there is nothing to rebase. */
export type Rebased = { sha: string } | { failure: 'conflict' | 'too_many' };

/** Commits that are rebased: each takes up to two processes. */
const MOST_COMMITS = 1000;
/** Of a commit's text: message and head. */
const MOST_BYTES = 2 * 1024 * 1024;
/** Commits that are read at once. */
const AT_ONCE = 20;

/** The commits to rebase, oldest first: no merges, and no commits whose changes `onto` already has. */
async function listCommitsToRebase(repository: Repository, { head, onto }: Rebase): Promise<string[]> {
  const range = ['--right-only', '--cherry-pick', '--no-merges', '--topo-order', '--reverse'];
  const args = ['rev-list', ...range, `${requireSha(onto)}...${requireSha(head)}`, '--'];
  const text = await runGitText(repository, args, { pool: 'long' });
  return text.split('\n').filter((line) => line !== '');
}

interface Step extends StoredCommit {
  /** The tree that it changed. */
  before: string;
}

async function* steps(repository: Repository, shas: readonly string[]): AsyncGenerator<Step> {
  for (let at = 0; at < shas.length; at += AT_ONCE) {
    const some = shas.slice(at, at + AT_ONCE);
    const objects = await readObjects(
      repository,
      some.flatMap((sha) => [sha, `${sha}^1`]),
      MOST_BYTES,
    );
    for (const [index, sha] of some.entries()) {
      const parent = objects[2 * index + 1];
      const before = parent ? parseCommit(parent, `${sha}^1`).tree : emptyTree;
      yield { ...parseCommit(objects[2 * index], sha), before };
    }
  }
}

/**
 * Rebases commits, one by one, onto another commit, without a working tree. Merges are skipped, and so are commits
 * whose changes already exist. It moves no branch: pass the id to updateRefs, within two weeks.
 * @throws RevisionNotFound; the reason of `signal`; else as scanGit
 */
export async function rebaseCommits(repository: Repository, rebase: Rebase): Promise<Rebased> {
  const { onto, committer, at, signal } = rebase;
  const shas = await listCommitsToRebase(repository, rebase);
  if (shas.length > MOST_COMMITS) return { failure: 'too_many' };
  const [start] = await readObjects(repository, [onto], MOST_BYTES);
  let tree = parseCommit(start, onto).tree;
  let sha = onto;
  const objects: NewObject[] = [];
  for await (const step of steps(repository, shas)) {
    signal?.throwIfAborted();
    const { before } = step;
    const merged =
      before === tree ? step.tree : await mergeTrees(repository, { base: before, ours: tree, theirs: step.tree });
    if (merged === null) return { failure: 'conflict' };
    // Commits that were empty from the start are kept; commits that become empty are already applied.
    if (merged === tree && before !== step.tree) continue;
    const commit = commitAnew(step, { tree: merged, parent: sha, committer, at });
    objects.push(commit);
    [tree, sha] = [merged, commit.sha];
  }
  if (objects.length > 0) await storeObjects(repository, objects);
  return { sha };
}

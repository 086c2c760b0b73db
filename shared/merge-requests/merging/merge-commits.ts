import type { Repository } from '../../git/index.js';
import { commitTree, isAncestor, mergeBase, mergeHistories, readCommits, tryMerge } from '../../git/index.js';
import type { MergeSettings } from './merge-settings.js';
import type { Signature } from './message-template.js';

/** Why a merge cannot be made that git needs too much for. */
export const TOO_LARGE_TO_MERGE = 'Branch cannot be merged: its files are too many, or lie too deep, to be merged';

/** The inputs of a merge. */
export interface MergePlan {
  /** Where the target branch is, and the head that is merged. Full ids. */
  readonly target: string;
  readonly head: string;
  readonly method: MergeSettings['merge_method'];
  readonly squash: boolean;
  /** Mergeability was not checked yet: conflicting merges must not fill the disk. */
  readonly unchecked: boolean;
  readonly merger: Signature;
  /** Who wrote what becomes one commit. */
  readonly author: Signature;
  readonly at: Date;
  readonly mergeMessage: () => string;
  readonly squashMessage: () => string;
}

/** The commits that a merge made; null for those that it did without. */
export interface MergeCommits {
  /** Where the target branch goes. */
  readonly sha: string;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
}

/** The one commit that all of a branch becomes, where the branches parted; null where that is nothing new. */
async function squashed(repository: Repository, plan: MergePlan): Promise<string | null> {
  const { target, head, author, merger, at } = plan;
  const parent = await mergeBase(repository, target, head);
  const commit = (await readCommits(repository, [head])).get(head);
  if (parent === null || !commit) return null;
  const message = plan.squashMessage();
  const same = commit.parent_ids.length === 1 && commit.parent_ids[0] === parent;
  // A single commit that already has the same message is kept unchanged.
  if (same && commit.message.trim() === message.trim()) return null;
  return commitTree(repository, { tree: commit.tree, parents: [parent], message, author, committer: merger, at });
}

async function mergeTree(repository: Repository, plan: MergePlan, source: string): Promise<string | null> {
  const sides = { ours: plan.target, theirs: source };
  if (plan.unchecked && (await tryMerge(repository, sides)) !== 'mergeable') return null;
  const merged = await mergeHistories(repository, sides);
  return 'tree' in merged ? merged.tree : null;
}

/**
 * Creates the commits of a merge, without refs.
 * @returns null if this is impossible: the branches conflict, have no common history, or the project requires the
 * source to be on top of the target and it is not
 * @throws RevisionNotFound if commits do not exist
 */
export async function makeMergeCommits(repository: Repository, plan: MergePlan): Promise<MergeCommits | null> {
  const { target, head, method, merger, at } = plan;
  if (method !== 'merge' && !(await isAncestor(repository, target, head))) return null;
  // Before anything is written: a squash is not made for a merge that conflicts.
  const tree = method === 'ff' ? null : await mergeTree(repository, plan, head);
  if (method !== 'ff' && tree === null) return null;
  const squash = plan.squash ? await squashed(repository, plan) : null;
  const source = squash ?? head;
  if (tree === null) return { sha: source, merge_commit_sha: null, squash_commit_sha: squash };
  const message = plan.mergeMessage();
  // A squash commit has the tree of the head and the same merge base, so that the merged tree applies to it as well.
  const sha = await commitTree(repository, {
    tree,
    parents: [target, source],
    message,
    author: merger,
    committer: merger,
    at,
  });
  return { sha, merge_commit_sha: sha, squash_commit_sha: squash };
}

import { asUtf8, commitAnew, latin1Of, parseCommit, utf8Of } from './commit-object.js';
import { emptyTree } from './diffs.js';
import { InvalidGitInput } from './errors.js';
import { identityLine, type Identity } from './identity.js';
import type { Repository } from './pools.js';
import { mergeTrees } from './merge-trees.js';
import { requireSha } from './object-ids.js';
import { readObjects } from './objects.js';
import { storeObjects } from './pack.js';

/** The changes of a commit are applied again, or reverted. */
export type PickKind = 'cherry_pick' | 'revert';

interface Pick {
  kind: PickKind;
  /** The commit whose changes are picked, relative to its first parent. */
  sha: string;
  /** The commit to build on. Full ids both. */
  onto: string;
  /** Of the new commit; of one that is picked the author stays who it was. */
  committer: Identity;
  at: Date;
  /** Makes the new message from the old one; left out where nothing is to be stored. */
  message?: ((original: string) => string) | undefined;
}

/** The new commit (null if no message was passed), or the reason that there is none. */
type Picked = { sha: string | null } | { failure: 'conflict' | 'empty' };

/** Of a commit's text: message and head. */
const MOST_BYTES = 2 * 1024 * 1024;

/**
 * Writes a commit that does on `onto` what another commit did, or undoes it. It moves no branch: pass the id to
 * updateRefs, within two weeks. At most five processes.
 * @throws RevisionNotFound, InvalidGitInput
 */
export async function pickCommit(repository: Repository, pick: Pick): Promise<Picked> {
  const { kind, committer, at } = pick;
  const [sha, onto] = [requireSha(pick.sha), requireSha(pick.onto)];
  const [picked, parent, head] = await readObjects(repository, [sha, `${sha}^1`, onto], MOST_BYTES);
  const original = parseCommit(picked, sha);
  const before = parent ? parseCommit(parent, `${sha}^1`).tree : emptyTree;
  const ours = parseCommit(head, onto).tree;
  const [base, theirs] = kind === 'revert' ? [original.tree, before] : [before, original.tree];
  const tree = await mergeTrees(repository, { base, ours, theirs });
  if (tree === null) return { failure: 'conflict' };
  if (tree === ours) return { failure: 'empty' };
  if (!pick.message) return { sha: null };
  const message = pick.message(utf8Of(original.message));
  if (message.includes('\0')) throw new InvalidGitInput('a commit message cannot hold a NUL');
  const author = kind === 'revert' ? latin1Of(identityLine(committer, at)) : original.author;
  const text = { ...asUtf8({ ...original, author }), message: latin1Of(message) };
  const commit = commitAnew(text, { tree, parent: onto, committer, at });
  await storeObjects(repository, [commit]);
  return { sha: commit.sha };
}

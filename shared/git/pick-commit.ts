import { emptyTree } from './diffs.js';
import { InvalidGitInput, RevisionNotFound } from './errors.js';
import { identityLine, parseIdentityLine, type Identity } from './identity.js';
import type { Repository } from './lanes.js';
import { mergeTrees } from './merge-trees.js';
import { requireSha } from './object-ids.js';
import { readObjects, type GitObject } from './objects.js';
import { newObject, storeObjects } from './pack.js';

/** What a commit changed is done once more, or undone. */
export type PickKind = 'cherry_pick' | 'revert';

interface Pick {
  kind: PickKind;
  /** The commit whose changes are picked: against its first parent. */
  sha: string;
  /** The commit to build on. Full ids both. */
  onto: string;
  /** Of the new commit; of one that is picked the author stays who it was. */
  committer: Identity;
  at: Date;
  /** Makes the new message from the old one; left out where nothing is to be stored. */
  message?: ((original: string) => string) | undefined;
}

/** The new commit, null where no message was given, or why there is none. */
type Picked = { sha: string | null } | { refused: 'conflict' | 'empty' };

/** Of a commit's text: message and head. */
const MOST_BYTES = 2 * 1024 * 1024;

interface CommitText {
  tree: string;
  author: string;
  message: string;
}

function parse(object: GitObject | null | undefined, name: string): CommitText {
  if (object?.type !== 'commit') throw new RevisionNotFound(name);
  const text = object.content.toString('utf8');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  const [, tree = ''] = /^tree ([0-9a-f]{40})$/m.exec(head) ?? [];
  const [, author = ''] = /^author (.*)$/m.exec(head) ?? [];
  return { tree, author, message: end < 0 ? '' : text.slice(end + 2) };
}

/** As git demands it of new commits; old ones need not be like that. */
const GOOD_AUTHOR = /^[^<>]+ <[^<>]*> \d{1,12} [+-]\d{4}$/;

function authorOf({ author }: CommitText, at: Date): string {
  return GOOD_AUTHOR.test(author) ? author : identityLine(parseIdentityLine(author) ?? { name: '', email: '' }, at);
}

/**
 * Writes a commit that does on `onto` what another commit did, or undoes it. It moves no branch: pass the id to
 * updateRefs, within two weeks. At most five processes.
 * @throws RevisionNotFound, InvalidGitInput
 */
export async function pickCommit(repository: Repository, pick: Pick): Promise<Picked> {
  const { kind, committer, at } = pick;
  const [sha, onto] = [requireSha(pick.sha), requireSha(pick.onto)];
  const [picked, parent, head] = await readObjects(repository, [sha, `${sha}^1`, onto], MOST_BYTES);
  const original = parse(picked, sha);
  const before = parent ? parse(parent, `${sha}^1`).tree : emptyTree;
  const ours = parse(head, onto).tree;
  const [base, theirs] = kind === 'revert' ? [original.tree, before] : [before, original.tree];
  const tree = await mergeTrees(repository, { base, ours, theirs });
  if (tree === null) return { refused: 'conflict' };
  if (tree === ours) return { refused: 'empty' };
  if (!pick.message) return { sha: null };
  const message = pick.message(original.message);
  if (message.includes('\0')) throw new InvalidGitInput('a commit message cannot hold a NUL');
  const by = identityLine(committer, at);
  const author = kind === 'revert' ? by : authorOf(original, at);
  const text = `tree ${tree}\nparent ${onto}\nauthor ${author}\ncommitter ${by}\n\n${message}`;
  const commit = newObject('commit', Buffer.from(text));
  await storeObjects(repository, [commit]);
  return { sha: commit.sha };
}

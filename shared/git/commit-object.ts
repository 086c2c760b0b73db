import { InvalidGitInput, RevisionNotFound } from './errors.js';
import { identityLine, parseIdentityLine } from './identity.js';
import type { Identity } from './identity.js';
import type { Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import type { GitObject } from './objects.js';
import { newObject, storeObjects } from './pack.js';
import type { NewObject } from './pack.js';

/** A commit as stored. Text has one character per byte, so that text that is not UTF-8 is preserved. */
export interface StoredCommit {
  tree: string;
  parents: string[];
  /** Name, address and time, as they are written. */
  author: string;
  /** How the message is encoded, where that is not UTF-8. */
  encoding: string | null;
  message: string;
}

/** @throws RevisionNotFound if it is not a commit */
export function parseCommit(object: GitObject | null | undefined, name: string): StoredCommit {
  if (object?.type !== 'commit') throw new RevisionNotFound(name);
  const text = object.content.toString('latin1');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  return {
    tree: /^tree ([0-9a-f]{40})$/m.exec(head)?.[1] ?? '',
    parents: [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, sha]) => sha!),
    author: /^author (.*)$/m.exec(head)?.[1] ?? '',
    encoding: /^encoding (.*)$/m.exec(head)?.[1] ?? null,
    message: end < 0 ? '' : text.slice(end + 2),
  };
}

/** As git demands it of new commits; old ones need not be like that. */
const GOOD_AUTHOR = /^[^<>]+ <[^<>]*> \d{1,12} [+-]\d{4}$/;

/** The author line of a rewritten commit: unchanged if git would accept it. */
function authorLine(author: string, at: Date): string {
  return GOOD_AUTHOR.test(author) ? author : identityLine(parseIdentityLine(author) ?? { name: '', email: '' }, at);
}

/** Text of a byte a character, and as it reads where the bytes are UTF-8. */
export const utf8Of = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');
export const latin1Of = (text: string): string => Buffer.from(text).toString('latin1');

/** The same commit with all of its text in UTF-8. */
export function asUtf8(commit: StoredCommit): StoredCommit {
  const [author, message] = [commit.author, commit.message].map((text) => latin1Of(utf8Of(text)));
  return { ...commit, author: author!, message: message!, encoding: null };
}

/** A rewritten commit with another tree and another parent: author and author date are preserved. */
export function commitAnew(
  commit: StoredCommit,
  { tree, parent, committer, at }: { tree: string; parent: string; committer: Identity; at: Date },
): NewObject {
  const head = [
    `tree ${tree}`,
    `parent ${parent}`,
    `author ${authorLine(commit.author, at)}`,
    `committer ${latin1Of(identityLine(committer, at))}`,
    ...(commit.encoding === null ? [] : [`encoding ${commit.encoding}`]),
  ];
  return newObject('commit', Buffer.from(`${head.join('\n')}\n\n${commit.message}`, 'latin1'));
}

/** A commit of a tree that is there. */
export interface TreeCommit {
  tree: string;
  parents: readonly string[];
  message: string;
  author: Identity;
  committer: Identity;
  at: Date;
}

/**
 * Stores a commit of a tree that the repository has, and answers its id. It moves no branch: pass the id to updateRefs,
 * within two weeks. One process.
 * @throws InvalidGitInput
 */
export async function commitTree(repository: Repository, commit: TreeCommit): Promise<string> {
  const { tree, parents, message, author, committer, at } = commit;
  if (message.includes('\0')) throw new InvalidGitInput('a commit message cannot hold a NUL');
  const head = [
    `tree ${requireSha(tree)}`,
    ...parents.map((sha) => `parent ${requireSha(sha)}`),
    `author ${identityLine(author, at)}`,
    `committer ${identityLine(committer, at)}`,
  ];
  const object = newObject('commit', Buffer.from(`${head.join('\n')}\n\n${message}`));
  await storeObjects(repository, [object]);
  return object.sha;
}

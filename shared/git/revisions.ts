import { GitFailed, RevisionNotFound } from './errors.js';
import type { Repository } from './pools.js';
import { isFullId, isSha, requireSha } from './object-ids.js';
import { peelToCommits } from './objects.js';
import { isValidRefName } from './ref-names.js';
import { listRefs } from './refs.js';
import { runGit, runGitText } from './run.js';

/**
 * The id of the commit that a revision names, or null. Known are a full id, which is never anything else, `HEAD`, a full
 * ref, a tag, a branch (in git's order: the tag wins), and at least 4 digits of an id that no other commit shares. Revision syntax (`main~1`,
 * `@{…}`) is null, unless `expressions` allows it: only for text that is not a user's.
 */
export async function resolveCommit(
  repository: Repository,
  revision: string,
  { expressions = false }: { expressions?: boolean } = {},
): Promise<string | null> {
  if (/[\0\n]/.test(revision) || revision === '') return null;
  if (isFullId(revision)) return peel(repository, revision.toLowerCase());
  if (expressions || revision === 'HEAD') return peel(repository, revision);
  const full = revision.startsWith('refs/');
  const refs = (full ? [revision] : [`refs/tags/${revision}`, `refs/heads/${revision}`]).filter(isValidRefName);
  const found = await listRefs(repository, { names: refs });
  for (const name of refs) {
    const ref = found.find((candidate) => candidate.name === name);
    if (ref) return ref.target;
  }
  return /^[0-9a-f]{4,39}$/i.test(revision) ? peel(repository, revision) : null;
}

async function peel(repository: Repository, name: string): Promise<string | null> {
  return (await peelToCommits(repository, [name]))[0] ?? null;
}

/**
 * Like resolveCommit, but a full id is returned unchanged, without a process, and an unknown revision throws
 * RevisionNotFound.
 */
export async function requireCommitId(repository: Repository, revision: string): Promise<string> {
  if (isSha(revision)) return revision;
  const sha = await resolveCommit(repository, revision);
  if (sha === null) throw new RevisionNotFound(revision);
  return sha;
}

/** Runs a git command on a commit from requireCommitId; turns "there is no such object" into RevisionNotFound. */
export async function onCommit<T>(revision: string, command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    const unknown = error instanceof GitFailed && /bad object|not a valid (object|commit) name/i.test(error.stderr);
    throw unknown ? new RevisionNotFound(revision) : error;
  }
}

/**
 * The best common ancestor of a commit and a merge of all others (full ids), or null where their histories never meet.
 */
export async function mergeBase(
  repository: Repository,
  one: string,
  other: string,
  ...others: string[]
): Promise<string | null> {
  const args = ['merge-base', ...[one, other, ...others].map(requireSha)];
  const { stdout, exitCode } = await runGit(repository, args, { exitCodes: [0, 1], pool: 'long' });
  return exitCode === 0 ? stdout.toString('utf8').trim() : null;
}

/** Whether `ancestor` is `descendant` or lies in its history; both are full ids. Unknown commits throw GitFailed. */
export async function isAncestor(repository: Repository, ancestor: string, descendant: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', requireSha(ancestor), requireSha(descendant)];
  return (await runGit(repository, args, { exitCodes: [0, 1], pool: 'long' })).exitCode === 0;
}

/**
 * How many commits a revision's history has, itself included; of merges only what their first parents lead to with
 * `firstParent`. Throws RevisionNotFound.
 */
export async function commitCount(
  repository: Repository,
  revision: string,
  { signal, firstParent = false }: { signal?: AbortSignal; firstParent?: boolean } = {},
): Promise<number> {
  const sha = await requireCommitId(repository, revision);
  const args = ['rev-list', '--count', ...(firstParent ? ['--first-parent'] : []), sha, '--'];
  const options = { pool: 'long', ...(signal && { signal }) } as const;
  return Number(await onCommit(revision, runGitText(repository, args, options)));
}

import { GitFailed, RevisionNotFound } from './errors.js';
import type { Repository } from './lanes.js';
import { isFullId, isSha, requireSha } from './object-ids.js';
import { peelToCommits } from './objects.js';
import { isValidRefName } from './ref-names.js';
import { listRefs } from './refs.js';
import { eachRecord } from './output-records.js';
import { runGit, runGitText, scanGit } from './run.js';

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

/** As resolveCommit, but a full id is taken as it is, without a process, and nothing found throws RevisionNotFound. */
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
  const { stdout, exitCode } = await runGit(repository, args, { exitCodes: [0, 1], lane: 'long' });
  return exitCode === 0 ? stdout.toString('utf8').trim() : null;
}

/** Whether `ancestor` is `descendant` or lies in its history; both are full ids. Unknown commits throw GitFailed. */
export async function isAncestor(repository: Repository, ancestor: string, descendant: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', requireSha(ancestor), requireSha(descendant)];
  return (await runGit(repository, args, { exitCodes: [0, 1], lane: 'long' })).exitCode === 0;
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
  const options = { lane: 'long', ...(signal && { signal }) } as const;
  return Number(await onCommit(revision, runGitText(repository, args, options)));
}

/** How many commits the history of `sha` has that the history of `without` lacks; both are full ids. */
export async function countBeyond(repository: Repository, sha: string, without: string): Promise<number> {
  const args = ['rev-list', '--count', requireSha(sha), `^${requireSha(without)}`, '--'];
  return Number(await onCommit(sha, runGitText(repository, args, { lane: 'long' })));
}

/**
 * Which of these commits (full ids) the history of `to` has and that of `from` lacks; null for all of the history.
 * One process, which ends once all are found.
 */
export async function commitsReached(
  repository: Repository,
  { from, to }: { from: string | null; to: string },
  wanted: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = new Set<string>();
  if (wanted.size === 0) return found;
  const lines = eachRecord(0x0a, 41, (line) => {
    const sha = line.toString('latin1');
    if (wanted.has(sha)) found.add(sha);
    return found.size === wanted.size;
  });
  const args = ['rev-list', requireSha(to), ...(from === null ? [] : [`^${requireSha(from)}`]), '--'];
  await onCommit(to, scanGit(repository, args, lines, { lane: 'long' }));
  return found;
}

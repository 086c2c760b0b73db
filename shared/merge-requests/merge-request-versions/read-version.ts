import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { fetchCommit, countRange, mergeBase, readRange, updateRefs } from '../../git/index.js';
import type { Commit, Repository } from '../../git/index.js';
import { getRepositoryPath, openRepository } from '../../repositories/repositories/write-refs.js';
import type { Branches } from './branch-heads.js';
import { countVersionFiles, UNCOUNTED } from './count-files.js';
import type { CountedFiles } from './count-files.js';

/** The state of a merge request in git at a given time. */
export interface ReadVersion extends CountedFiles {
  readonly head_sha: string;
  readonly base_sha: string | null;
  readonly start_sha: string;
  /** The newest first. */
  readonly commits: readonly Commit[];
  readonly commits_count: number;
}

/** Limits for commits whose metadata is stored; there may be more. */
export const COMMITS = { most: 1000, mostBytes: 16 * 1024 * 1024 };

/** The ref from which the head of a merge request is fetched; users do not push to it. */
const headRef = (iid: number): string => `refs/merge-requests/${iid}/head`;

/** Keeps a commit and its history, whatever becomes of branches. */
const keepRef = (sha: string): string => `refs/keep-around/${sha}`;

/** The commits that identify a version of a merge request. */
export type VersionShas = Pick<ReadVersion, 'head_sha' | 'base_sha' | 'start_sha'>;

/** The commits of a version that are in the repository. Nothing is compared. @throws RevisionNotFound */
async function describeCommits(repository: Repository, shas: VersionShas): Promise<ReadVersion> {
  const { head_sha: head, base_sha: base, start_sha: start } = shas;
  const { commits, more } = await readRange(repository, { from: start, to: head }, COMMITS);
  return {
    head_sha: head,
    base_sha: base,
    start_sha: start,
    commits,
    commits_count: more ? await countRange(repository, { from: start, to: head }) : commits.length,
    ...UNCOUNTED,
  };
}

/** Reads a version from git whose commits are in the repository. @throws RevisionNotFound */
export async function describeVersion(repository: Repository, shas: VersionShas): Promise<ReadVersion> {
  const [version, files] = await Promise.all([describeCommits(repository, shas), countVersionFiles(repository, shas)]);
  return { ...version, ...files };
}

/** Keeps the commits of versions for good, and the heads of the last ones of each number. Safe to repeat. */
export async function keepVersions(
  repository: Repository,
  versions: readonly (VersionShas & { readonly iid: number })[],
): Promise<void> {
  const refs = new Map<string, string>();
  for (const { iid, head_sha: head, start_sha: start } of versions) {
    refs.set(headRef(iid), head);
    for (const sha of [head, start]) refs.set(keepRef(sha), sha);
  }
  await updateRefs(
    repository,
    [...refs].map(([ref, sha]) => ({ ref, new: sha })),
  );
}

/**
 * Reads the current version of a merge request with these branches, after its commits were copied to the target's
 * repository; see keepVersions for how they are retained there. Idempotent.
 * @throws RevisionNotFound if a branch moved meanwhile and its commits no longer exist; otherwise git errors
 */
async function readWith(
  describe: (repository: Repository, shas: VersionShas) => Promise<ReadVersion>,
  ctx: Context<Caller>,
  branches: Branches,
  { source: head, target: start }: { readonly source: string; readonly target: string },
): Promise<ReadVersion> {
  const repository = openRepository(ctx, { id: branches.project_id });
  const { source_project_id: sourceId } = branches;
  if (sourceId && sourceId !== branches.project_id)
    await fetchCommit(repository, getRepositoryPath(ctx, { id: sourceId }), head);
  const base_sha = await mergeBase(repository, start, head);
  return describe(repository, { head_sha: head, base_sha, start_sha: start });
}

type Heads = Parameters<typeof readWith>[3];

/** Reads a version with its number of files, if they can be counted in time. */
export const readVersion = (ctx: Context<Caller>, branches: Branches, heads: Heads): Promise<ReadVersion> =>
  readWith(describeVersion, ctx, branches, heads);

/** Reads a version without comparing anything: its files are counted later. */
export const readVersionCommits = (ctx: Context<Caller>, branches: Branches, heads: Heads): Promise<ReadVersion> =>
  readWith(describeCommits, ctx, branches, heads);

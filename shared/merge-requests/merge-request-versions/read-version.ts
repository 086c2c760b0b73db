import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import {
  bringCommit,
  countFiles,
  countRange,
  mergeBase,
  MOST_DIFF_FILES,
  readRange,
  updateRefs,
} from '../../git/index.js';
import type { Commit, Repository } from '../../git/index.js';
import { repositoryOf, openRepository } from '../../repositories/repositories/write-refs.js';
import type { Branches } from './branch-heads.js';

/** What git says of a merge request at a time. */
export interface ReadVersion {
  readonly head_sha: string;
  readonly base_sha: string | null;
  readonly start_sha: string;
  /** The newest first. */
  readonly commits: readonly Commit[];
  readonly commits_count: number;
  readonly files_count: number;
  readonly files_overflow: boolean;
}

/** Commits whose metadata are kept; there may be more. */
export const COMMITS = { most: 1000, mostBytes: 16 * 1024 * 1024 };

/** Where the head of a merge request is fetched from; nobody pushes there. */
const headRef = (iid: number): string => `refs/merge-requests/${iid}/head`;

/** Keeps a commit and its history, whatever becomes of branches. */
const keepRef = (sha: string): string => `refs/keep-around/${sha}`;

/** The commits that a version of a merge request is told by. */
export type VersionShas = Pick<ReadVersion, 'head_sha' | 'base_sha' | 'start_sha'>;

/** What git says of a version whose commits are in the repository. @throws RevisionNotFound */
export async function describeVersion(repository: Repository, shas: VersionShas): Promise<ReadVersion> {
  const { head_sha: head, base_sha: base, start_sha: start } = shas;
  const [{ commits, more }, files] = await Promise.all([
    readRange(repository, { from: start, to: head }, COMMITS),
    countFiles(repository, { from: base ?? start, to: head }, MOST_DIFF_FILES + 1),
  ]);
  return {
    head_sha: head,
    base_sha: base,
    start_sha: start,
    commits,
    commits_count: more ? await countRange(repository, { from: start, to: head }) : commits.length,
    files_count: Math.min(files, MOST_DIFF_FILES),
    files_overflow: files > MOST_DIFF_FILES,
  };
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
 * Reads what a merge request of these branches is, once its commits are in the target's repository, and keeps them
 * there for good. Done twice, it changes nothing more.
 * @throws RevisionNotFound where a branch moved meanwhile and its commits are gone; else as git fails
 */
export async function readVersion(
  ctx: Context<Caller>,
  branches: Branches & { readonly iid: number },
  { source: head, target: start }: { readonly source: string; readonly target: string },
): Promise<ReadVersion> {
  const repository = openRepository(ctx, { id: branches.project_id });
  const { source_project_id: sourceId } = branches;
  if (sourceId && sourceId !== branches.project_id)
    await bringCommit(repository, repositoryOf(ctx, { id: sourceId }), head);
  await keepVersions(repository, [{ iid: branches.iid, head_sha: head, base_sha: null, start_sha: start }]);
  const base_sha = await mergeBase(repository, start, head);
  return describeVersion(repository, { head_sha: head, base_sha, start_sha: start });
}

import type { SignedInContext } from '../../core/context/context.js';
import { Conflict, Invalid, Unauthenticated } from '../../core/values/errors.js';
import { fetchCommit, GitTooCostly, resolveCommit, RevisionNotFound } from '../../git/index.js';
import { lockBranch, loadSignature } from '../../repositories/repositories/commit-to-branch.js';
import { withGitAnswers } from '../../repositories/repositories/git-problems.js';
import { findWriteRejections } from '../../repositories/repositories/ref-rules.js';
import { findRef } from '../../repositories/repositories/repository-ref.finder.js';
import type { RefChange } from '../../repositories/repositories/write-refs.js';
import { openRepository, getRepositoryPath, toSeconds, writeRefs } from '../../repositories/repositories/write-refs.js';
import { refreshVersion } from '../merge-request-versions/refresh-version.js';
import { detailedMergeStatus } from '../merge-requests/detailed-merge-status.js';
import type { MergeDetails } from '../merge-requests/detailed-merge-status.js';
import { mergeDetails } from '../merge-requests/merge-details.js';
import type { MergeParams, MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { findMergeRequest } from '../merge-requests/merge-request.finder.js';
import { describeMerge } from './describe-merge.js';
import { markMerged } from './mark-merged.js';
import type { MergeOutcome } from './mark-merged.js';
import { makeMergeCommits, TOO_LARGE_TO_MERGE } from './merge-commits.js';
import type { MergeCommits, MergePlan } from './merge-commits.js';
import { mayMerge } from '../merge-requests/merge-rights.js';
import { squashes } from './merge-settings.js';
import type { MergeSettings } from './merge-settings.js';
import { removeSourceBranches } from '../merge-requests.jobs.js';
import { mergeMessage, squashMessage } from './message-template.js';

/** The purpose of ref updates that merge a merge request (`repository.move_left`). */
export const MERGE_PURPOSE = 'merge_request';

/** The data of a merge that is known before its refs move. */
export interface MergeNote extends MergeOutcome {
  readonly merge_request_id: number;
  readonly user_id: number;
}

const notAllowed = () => new Invalid('405 Method Not Allowed', 405);
const cannotBeMerged = () => new Invalid('Branch cannot be merged', 422);

/** @throws Unauthenticated: the public response to callers who cannot merge there */
export async function requireMergeRight(ctx: SignedInContext, request: MergeRequestRecord): Promise<void> {
  if (!(await mayMerge(ctx, request))) throw new Unauthenticated('missing');
}

/** The condition that blocks a merge, apart from those checked by git. */
export async function obstacleTo(
  ctx: SignedInContext,
  request: MergeRequestRecord,
  overrides: Partial<MergeDetails> = {},
): Promise<string | null> {
  await mergeDetails.fill(ctx, [request]);
  const details = mergeDetails.of(request, ctx) as MergeDetails;
  const status = detailedMergeStatus({ ...details, merge_status: 'can_be_merged', behind: false, ...overrides });
  return status === 'mergeable' ? null : status;
}

/** @throws Invalid 405 if a condition other than those checked by git blocks the merge */
export async function requireMergeable(
  ctx: SignedInContext,
  request: MergeRequestRecord,
  overrides: Partial<MergeDetails> = {},
): Promise<void> {
  if ((await obstacleTo(ctx, request, overrides)) !== null) throw notAllowed();
}

/** @throws Conflict if this is not the head that the caller saw */
export function requireHead({ head_sha: head }: MergeRequestRecord, sha: string | undefined): void {
  if (sha !== undefined && sha !== head) throw new Conflict(`SHA does not match HEAD of source branch: ${head ?? ''}`);
}

/** The merge request, locked and up to date with its branches, which may have just been pushed. */
export async function upToDate(ctx: SignedInContext, request: MergeRequestRecord): Promise<MergeRequestRecord> {
  if (request.state !== 'opened') return request;
  const version = await refreshVersion(ctx, request.id);
  return version ? findMergeRequest(ctx, request.project, request.iid) : request;
}

async function getPlan(
  ctx: SignedInContext,
  request: MergeRequestRecord,
  settings: MergeSettings,
  params: MergeParams,
  target: string,
): Promise<MergePlan> {
  const repository = openRepository(ctx, request.project);
  const head = request.head_sha as string;
  const merger = await loadSignature(ctx);
  const { merge_commit_template: forMerge, squash_commit_template: forSquash } = settings;
  const squash = squashes(settings, params.squash ?? request.squash);
  const templates = [
    params.merge_commit_message === undefined ? (forMerge ?? '') : '',
    squash && params.squash_commit_message === undefined ? (forSquash ?? '') : '',
  ];
  const described = await describeMerge(ctx, request, { merger, templates }, { repository, target, head });
  return {
    target,
    head,
    method: settings.merge_method,
    squash,
    unchecked: request.merge_status !== 'can_be_merged',
    merger,
    author: described.author ?? merger,
    at: ctx.clock.now(),
    mergeMessage: () => params.merge_commit_message ?? mergeMessage(described, forMerge),
    squashMessage: () => params.squash_commit_message ?? squashMessage(described, forSquash),
  };
}

/** @throws Invalid 422 with the reason where git needs too much for a merge; else what went wrong */
function tooLarge(error: unknown): never {
  throw error instanceof GitTooCostly ? new Invalid(TOO_LARGE_TO_MERGE, 422) : error;
}

/** Creates the commits, after those of a fork were copied here. @throws Invalid 422 */
async function makeCommits(ctx: SignedInContext, request: MergeRequestRecord, plan: MergePlan): Promise<MergeCommits> {
  const repository = openRepository(ctx, request.project);
  const { source_project_id: sourceId = null } = request;
  try {
    if (sourceId !== null && sourceId !== request.project_id && (await resolveCommit(repository, plan.head)) === null)
      await fetchCommit(repository, getRepositoryPath(ctx, { id: sourceId }), plan.head);
    const commits = await withGitAnswers(() => makeMergeCommits(repository, plan).catch(tooLarge));
    if (commits) return commits;
  } catch (error) {
    if (!(error instanceof RevisionNotFound)) throw error;
  }
  throw cannotBeMerged();
}

/** The deletion of a source branch in the same project with only merged commits, if the caller may delete it. */
async function removalHere(
  ctx: SignedInContext,
  { project, source_project_id, source_branch, head_sha }: MergeRequestRecord,
): Promise<RefChange[]> {
  if (source_project_id !== project.id) return [];
  const fullName = `refs/heads/${source_branch}`;
  const ref = await findRef(ctx, project.id, fullName);
  if (ref?.target_sha !== head_sha) return [];
  const [rejection] = await findWriteRejections(ctx, project, [{ fullName, move: 'gone' }]);
  return rejection === null ? [{ fullName, from: ref?.object_sha ?? null, to: null }] : [];
}

/** Whether the source branch is deleted: the merging user's choice, or else the author's. */
function removesSource(request: MergeRequestRecord, params: MergeParams): boolean {
  return (
    params.should_remove_source_branch ??
    request.should_remove_source_branch ??
    request.force_remove_source_branch ??
    false
  );
}

/**
 * Merges a locked merge request as the caller: creates the commits, writes the record, and moves the refs last, all in
 * the caller's transaction. If the process ends in between, it leaves a note that lets the record catch up with git.
 * Conditions other than those checked by git are the responsibility of the calling code.
 * @returns the merged merge request
 * @throws Invalid 422 if git cannot merge it, Unauthenticated if the caller lost the permission meanwhile
 */
export async function performMerge(
  ctx: SignedInContext,
  request: MergeRequestRecord,
  settings: MergeSettings,
  params: MergeParams,
): Promise<MergeRequestRecord> {
  const { project } = request;
  const fullName = `refs/heads/${request.target_branch}`;
  const target = await lockBranch(ctx, project, fullName);
  if (!target) throw cannotBeMerged();
  const plan = await getPlan(ctx, request, settings, params, target.target_sha);
  const commits = await makeCommits(ctx, request, plan);
  // The merge may have taken a while: permissions may have changed meanwhile.
  await requireMergeRight(ctx, request);
  const removes = removesSource(request, params);
  const outcome: MergeOutcome = {
    merged_commit_sha: commits.sha,
    merge_commit_sha: commits.merge_commit_sha,
    squash_commit_sha: commits.squash_commit_sha,
    should_remove_source_branch: removes,
  };
  const removal = removes ? await removalHere(ctx, request) : [];
  await markMerged(ctx, request, project, { ...outcome, merge_user_id: ctx.caller.id });
  await removeFromFork(ctx, request, removes);
  const merged = await findMergeRequest(ctx, project, request.iid);
  const date = toSeconds(plan.at);
  const isNew = commits.sha !== plan.head;
  const to = { object_sha: commits.sha, target_sha: commits.sha, ...(isNew && { date }) };
  const note: MergeNote = { ...outcome, merge_request_id: request.id, user_id: ctx.caller.id };
  await withGitAnswers(() =>
    writeRefs(ctx, project, [{ fullName, from: target.object_sha, to }, ...removal], {
      purpose: { of: MERGE_PURPOSE, data: note },
    }),
  );
  return merged;
}

/** A job deletes the branch of a fork, as the user who merged. */
async function removeFromFork(ctx: SignedInContext, request: MergeRequestRecord, removes: boolean): Promise<void> {
  const { source_project_id: sourceId = null, source_branch: branch, head_sha: sha } = request;
  if (!removes || sourceId === null || sourceId === request.project_id || !sha) return;
  await ctx.jobs.send(removeSourceBranches, { project_id: sourceId, branch, sha, user_id: ctx.caller.id });
}

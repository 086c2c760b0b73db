import type { Context, SignedInContext } from '../../core/context/context.js';
import { rowPageNotification } from '../../core/page-changes/page-changes.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import {
  fetchCommit,
  GitTimeout,
  GitTooCostly,
  isAncestor,
  rebaseCommits,
  RefConflict,
  resolveCommit,
} from '../../git/index.js';
import type { Rebased } from '../../git/index.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import { lockBranch, loadSignature } from '../../repositories/repositories/commit-to-branch.js';
import { openRepository, getRepositoryPath, toSeconds, writeRefs } from '../../repositories/repositories/write-refs.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { branchHeads } from '../merge-request-versions/branch-heads.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { findMergeRequestById } from '../merge-requests/merge-request.finder.js';
import { requireSourceToRewrite } from './rebase.operations.js';

interface RebaseRequest {
  readonly merge_request_id: number;
  readonly user_id: number;
  readonly started_at: string;
}

const FAILED = 'Rebase failed: ';
const CONFLICT = `${FAILED}Rebase locally, resolve all conflicts, then push the branch.`;
const TOO_MANY = `${FAILED}the branch has too many commits. Rebase locally, then push the branch.`;
const TOO_LARGE = `${FAILED}the branch has too many files, or they lie too deep. Rebase locally, then push the branch.`;
const NOT_ALLOWED = `${FAILED}whoever asked for it may not push to the source branch any more.`;
const MOVED = `${FAILED}the branch moved meanwhile. Try again.`;

/** Ends a rebase and records the reason of a failure; a newer rebase request is left unchanged. */
async function end(ctx: Context, { merge_request_id: id, started_at }: RebaseRequest, merge_error: string | null) {
  const where = { id, rebase_started_at: new Date(started_at) };
  await ctx.transaction(async () => {
    await ctx.em.nativeUpdate(MergeRequest, where, { rebase_started_at: null, merge_error });
    await ctx.em
      .getKysely<MergeRequestsDatabase>()
      .selectFrom('merge_requests as i')
      .select((eb) => rowPageNotification('merge_requests', eb.ref('i.project_id')).as('notified'))
      .where('i.id', '=', id)
      .execute();
  });
}

/** Makes the commits before anything is held: it may take a while. */
async function make(
  ctx: SignedInContext,
  request: MergeRequestRecord,
  source: string,
  target: string,
): Promise<Rebased> {
  const { project_id: id, source_project_id: sourceId } = request;
  const repository = openRepository(ctx, { id: sourceId as number });
  if (sourceId !== id && (await resolveCommit(repository, target)) === null)
    await fetchCommit(repository, getRepositoryPath(ctx, { id }), target);
  if (await isAncestor(repository, target, source)) return { sha: source };
  const committer = await loadSignature(ctx);
  const { signal } = ctx;
  return rebaseCommits(repository, { head: source, onto: target, committer, at: ctx.clock.now(), signal });
}

async function move(ctx: SignedInContext, id: number, from: string, sha: string): Promise<string | null> {
  return ctx.transaction(async () => {
    const request = await findMergeRequestById(ctx, id);
    if (request.state !== 'opened') return null;
    const source = await requireSourceToRewrite(ctx, request);
    const fullName = `refs/heads/${request.source_branch}`;
    const ref = await lockBranch(ctx, source, fullName);
    if (ref?.target_sha !== from) return MOVED;
    const to = { object_sha: sha, target_sha: sha, date: toSeconds(ctx.clock.now()) };
    await writeRefs(ctx, source, [{ fullName, from: ref.object_sha, to }]);
    return null;
  });
}

async function attempt(ctx: SignedInContext, id: number): Promise<string | null> {
  const request = await findMergeRequestById(ctx, id);
  const { source, target } = await branchHeads(ctx, request);
  if (request.state !== 'opened' || source === null || target === null) return null;
  await requireSourceToRewrite(ctx, request);
  const result = await make(ctx, request, source, target);
  if ('failure' in result) return result.failure === 'conflict' ? CONFLICT : TOO_MANY;
  return result.sha === source ? null : move(ctx, id, source, result.sha);
}

/** The user-facing reason for a failed rebase; null for an internal error. */
function getReason(error: unknown): string | null {
  if (error instanceof Forbidden || error instanceof NotFound) return NOT_ALLOWED;
  if (error instanceof RefConflict) return MOVED;
  if (error instanceof GitTooCostly) return TOO_LARGE;
  return error instanceof GitTimeout ? TOO_MANY : null;
}

/**
 * Rebases the source branch of a merge request onto its target branch as the requesting user, and updates the source
 * branch. Idempotent: commits already on the target branch are left unchanged.
 */
export async function rebaseSource(ctx: Context, request: RebaseRequest): Promise<void> {
  const acting = await actAsUser(ctx, request.user_id);
  if (!acting) return end(ctx, request, NOT_ALLOWED);
  try {
    return await end(ctx, request, await attempt(acting, request.merge_request_id));
  } catch (error) {
    const reason = getReason(error);
    if (reason === null) throw error;
    return end(ctx, request, reason);
  }
}

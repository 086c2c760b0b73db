import type { Context } from '../../core/context/context.js';
import { notifyPages } from '../../core/page-changes/page-changes.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { GitTimeout, GitTooCostly, RepositoryMissing, RevisionNotFound, tryMerge } from '../../git/index.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { branchHeads } from '../merge-request-versions/branch-heads.js';
import { lockForJob } from '../merge-request-versions/refresh-version.js';
import { TOO_LARGE_TO_MERGE } from './merge-commits.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';

/** What was found; `conflicts` says that git found that the branches do, not that something to merge is missing. */
interface Mergeability {
  readonly merge_status: string;
  readonly merge_error: string | null;
  readonly conflicts: boolean;
}

const CAN: Mergeability = { merge_status: 'can_be_merged', merge_error: null, conflicts: false };
const CANNOT: Mergeability = { merge_status: 'cannot_be_merged', merge_error: null, conflicts: false };

const UNKNOWN = ['unchecked', 'checking', 'cannot_be_merged_recheck'];

async function tryMergeability(
  ctx: Context,
  { project_id: id }: MergeRequest,
  target: string | null,
  head: string | null,
): Promise<Mergeability> {
  if (target === null || head === null) return CANNOT;
  try {
    const found = await tryMerge(openRepository(ctx, { id }), { ours: target, theirs: head });
    return found === 'mergeable' ? CAN : { ...CANNOT, conflicts: true };
  } catch (error) {
    if (error instanceof RevisionNotFound || error instanceof RepositoryMissing) return CANNOT;
    // What takes that long no request could merge either.
    if (error instanceof GitTimeout || error instanceof GitTooCostly)
      return { ...CANNOT, merge_error: TOO_LARGE_TO_MERGE };
    throw error;
  }
}

/** Looks at one without holding it, and writes what was found unless its branches moved meanwhile. */
async function check(ctx: Context, id: number): Promise<void> {
  const request = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('merge_requests as i')
    .select(columns(MergeRequest, 'i'))
    .where('i.id', '=', id)
    .where('i.state', '=', constant('opened'))
    .where('i.merge_status', '=', anyOf(UNKNOWN, 'text'))
    .executeTakeFirst();
  if (!request) return;
  const heads = await branchHeads(ctx, request);
  const head = heads.source === null ? null : (request.head_sha ?? null);
  const { merge_status, merge_error, conflicts } = await tryMergeability(ctx, request, heads.target, head);
  await ctx.transaction(async () => {
    const now = await lockForJob(ctx, id);
    const { source, target } = await branchHeads(ctx, request);
    const same = now?.head_sha === request.head_sha && now?.target_branch === request.target_branch;
    // Any such change triggers another check, and another check may have been as fast.
    if (now?.state !== 'opened' || !same || source !== heads.source || target !== heads.target) return;
    if (!UNKNOWN.includes(now.merge_status)) return;
    await ctx.em.nativeUpdate(
      MergeRequest,
      { id },
      // Other errors remain visible until a user acts on them.
      merge_error !== null || now.merge_error === TOO_LARGE_TO_MERGE ? { merge_status, merge_error } : { merge_status },
    );
    await notifyPages(ctx, 'merge_requests', [request.project_id]);
    // That it still conflicts after another push is nothing new.
    if (conflicts && now.merge_status !== 'cannot_be_merged_recheck')
      ctx.record({ type: 'merge_request.unmergeable', merge_request: now, project: now.project });
  });
}

/** Determines the mergeability of merge requests for which it is unknown. Idempotent. */
export async function checkMergeRequests(ctx: Context, { ids }: { ids: readonly number[] }): Promise<void> {
  for (const id of ids) {
    ctx.signal.throwIfAborted();
    await check(ctx, id);
  }
}

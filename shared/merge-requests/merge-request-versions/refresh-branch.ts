import type { Context } from '../../core/context/context.js';
import { isAncestor, landingCommits, listRange, RevisionNotFound } from '../../git/index.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import { updateOpenMergeRequestCounts } from '../merge-requests/open-merge-requests-count.js';
import { forgottenMergeability } from './forgotten-mergeability.js';
import { lockForJob, refreshVersion } from './refresh-version.js';

/** A branch that moved. */
export interface MovedBranch {
  readonly project_id: number;
  readonly branch: string;
  readonly from: string | null;
  readonly to: string;
  readonly user_id: number | null;
  /** When it moved; jobs of older versions do not know. */
  readonly moved_at?: string;
}

/** Maximum number of commits of a push to a target branch to check, newest first. */
const MOST_COMMITS = 10_000;

/** Open merge requests from a branch. */
const openFrom = (ctx: Context, { project_id, branch }: MovedBranch) =>
  ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('merge_requests as i')
    .select('i.id')
    .where('i.source_project_id', '=', project_id)
    .where('i.source_branch', '=', branch)
    .where('i.state', '=', constant('opened'))
    .orderBy('i.id')
    .execute();

/** The commits that a push added to a branch; null if the branch was rewritten, so that it also lost commits. */
async function broughtCommits(ctx: Context, { project_id, from, to }: MovedBranch): Promise<string[] | null> {
  const repository = openRepository(ctx, { id: project_id });
  if (from === null) return null;
  try {
    if (!(await isAncestor(repository, from, to))) return null;
    return await listRange(repository, { from, to }, MOST_COMMITS);
  } catch (error) {
    // Moved again since, and cleaned up.
    if (error instanceof RevisionNotFound) return null;
    throw error;
  }
}

/** By which commit of the branch each commit of a push came; of a new branch none came. */
const landedBy = (ctx: Context, { project_id, from, to }: MovedBranch): Promise<Map<string, string>> =>
  from === null
    ? Promise.resolve(new Map())
    : landingCommits(openRepository(ctx, { id: project_id }), { from, to }, MOST_COMMITS);

/** A user merged it locally and pushed: its head is now in the target branch. */
async function noteMerged(ctx: Context, id: number, moved: MovedBranch, landed: ReadonlyMap<string, string>) {
  const { user_id, moved_at: movedAt } = moved;
  const request = await lockForJob(ctx, id);
  // Its head may have moved since.
  const sha = landed.get(request?.head_sha ?? '');
  if (request?.state !== 'opened' || sha === undefined) return;
  const now = ctx.clock.now();
  const values = {
    state: 'merged',
    // Jobs come later than pushes.
    merged_at: movedAt === undefined ? now : new Date(movedAt),
    updated_at: now,
    merge_user_id: user_id,
    merged_commit_sha: sha,
    merge_commit_sha: sha,
    auto_merge_enabled: false,
  };
  await ctx.em.nativeUpdate(MergeRequest, { id }, values);
  await updateOpenMergeRequestCounts(ctx, [request], [{ ...request, state: 'merged' }]);
  const { project, ...row } = request;
  ctx.record({ type: 'merge_request.merged', merge_request: { ...row, ...values }, project });
}

interface Touched {
  readonly id: number;
  readonly merged: boolean;
}

/** Open merge requests `i` into a branch. */
const openInto = (ctx: Context, { project_id, branch }: MovedBranch) =>
  ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('merge_requests as i')
    .where('i.project_id', '=', project_id)
    .where('i.target_branch', '=', branch)
    .where('i.state', '=', constant('opened'))
    .orderBy('i.id');

/** Merge requests into a branch of which some commits came into it, by another way or as a whole. */
const touchedBy = (ctx: Context, moved: MovedBranch, shas: readonly string[]): Promise<Touched[]> =>
  openInto(ctx, moved)
    .select((eb) => ['i.id', eb('i.head_sha', '=', anyOf(shas, 'text')).$castTo<boolean>().as('merged')])
    .where((eb) => {
      const holding = eb
        .selectFrom('merge_request_version_commits as c')
        .innerJoin('merge_request_versions as v', 'v.id', 'c.version_id')
        .select('v.merge_request_id')
        .where('c.project_id', '=', moved.project_id)
        .where('c.sha', '=', anyOf(shas, 'text'));
      return eb.or([eb('i.head_sha', '=', anyOf(shas, 'text')), eb('i.id', 'in', holding)]);
    })
    .execute();

/** All merge requests into a branch. */
const allInto = (ctx: Context, moved: MovedBranch): Promise<Touched[]> =>
  openInto(ctx, moved)
    .select((eb) => ['i.id', eb.lit(false).as('merged')])
    .execute();

/** Whether open merge requests into the branch can be merged is not known any more. */
async function forgetAllInto(ctx: Context, moved: MovedBranch): Promise<void> {
  await ctx.transaction(async () => {
    const rows = await ctx.em
      .getKysely<MergeRequestsDatabase>()
      .updateTable('merge_requests')
      .set({ merge_status: forgottenMergeability })
      .where('id', 'in', openInto(ctx, moved).select('i.id').forNoKeyUpdate())
      .returning('id')
      .execute();
    if (rows.length > 0)
      ctx.record({
        type: 'merge_requests.unchecked',
        project_id: moved.project_id,
        ids: rows.map(({ id }) => id).toSorted((a, b) => a - b),
      });
  });
}

/**
 * Updates the open merge requests of a branch that moved: those from it get a new version; some of those into it are
 * merged by the push, and the mergeability of the others becomes unknown. Runs as the user who moved the branch. Each
 * merge request has its own transaction. Idempotent.
 */
export async function refreshBranch(ctx: Context, moved: MovedBranch): Promise<void> {
  const acting = (moved.user_id === null ? null : await actAsUser(ctx, moved.user_id)) ?? ctx;
  for (const { id } of await openFrom(ctx, moved)) {
    ctx.signal.throwIfAborted();
    await acting.transaction(() => refreshVersion(acting, id));
  }
  const brought = await broughtCommits(ctx, moved);
  const touched = brought ? await touchedBy(ctx, moved, brought) : await allInto(ctx, moved);
  const landed = touched.some(({ merged }) => merged) ? await landedBy(ctx, moved) : new Map<string, string>();
  for (const { id, merged } of touched) {
    ctx.signal.throwIfAborted();
    await acting.transaction(async () => {
      if (merged) await noteMerged(acting, id, moved, landed);
      else await refreshVersion(acting, id);
    });
  }
  await forgetAllInto(acting, moved);
}

import type { Context } from '../../core/context.js';
import { isAncestor, landingCommits, listRange, RevisionNotFound } from '../../git/index.js';
import { sql } from '../../core/sql.js';
import { actAsUser } from '../../planning/issue-mentions/acting-user.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import { followOpenMergeRequests } from '../merge-requests/open-merge-requests-count.js';
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

/** Of a push to a target branch, the newest commits that are looked at. */
const MOST_COMMITS = 10_000;

/** Open merge requests from a branch. */
const openFrom = (ctx: Context, { project_id, branch }: MovedBranch) =>
  ctx.query<{ id: number }>(sql`
    select i.id as "id" from merge_requests i
     where i.source_project_id = ${project_id} and i.source_branch = ${branch} and i.state = 'opened' order by i.id`);

/** What a push brought to a branch; null where the branch went elsewhere, so that it also lost commits. */
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

/** Somebody merged it by themselves and pushed: its head came into the target branch. */
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
  await followOpenMergeRequests(ctx, [request], [{ ...request, state: 'merged' }]);
  const { project, ...row } = request;
  ctx.record({ type: 'merge_request.merged', merge_request: { ...row, ...values }, project });
}

interface Touched {
  readonly id: number;
  readonly merged: boolean;
}

/** Merge requests into a branch of which some commits came into it, by another way or as a whole. */
const touchedBy = (ctx: Context, { project_id, branch }: MovedBranch, shas: readonly string[]) =>
  ctx.query<Touched>(sql`
    select i.id as "id", i.head_sha = any(${shas}::text[]) as "merged" from merge_requests i
     where i.project_id = ${project_id} and i.target_branch = ${branch} and i.state = 'opened'
       and (i.head_sha = any(${shas}::text[]) or i.id in (
         select v.merge_request_id from merge_request_version_commits c join merge_request_versions v on v.id = c.version_id
          where c.project_id = ${project_id} and c.sha = any(${shas}::text[])))
     order by i.id`);

const openInto = (ctx: Context, { project_id, branch }: MovedBranch) =>
  ctx.query<Touched>(sql`
    select i.id as "id", false as "merged" from merge_requests i
     where i.project_id = ${project_id} and i.target_branch = ${branch} and i.state = 'opened' order by i.id`);

/** Whether open merge requests into the branch can be merged is not known any more. */
async function forgetMergeability(ctx: Context, { project_id, branch }: MovedBranch): Promise<void> {
  await ctx.transaction(async () => {
    const rows = await ctx.query<{ id: number }>(sql`
      update merge_requests m
         set merge_status = case when m.merge_status in ('cannot_be_merged', 'cannot_be_merged_recheck')
                                 then 'cannot_be_merged_recheck' else 'unchecked' end
       where m.id in (
         select i.id from merge_requests i
          where i.project_id = ${project_id} and i.target_branch = ${branch} and i.state = 'opened'
          order by i.id for no key update)
      returning m.id as "id"`);
    if (rows.length > 0)
      ctx.record({
        type: 'merge_requests.unchecked',
        project_id,
        ids: rows.map(({ id }) => id).toSorted((a, b) => a - b),
      });
  });
}

/**
 * Follows a branch that moved in its open merge requests: those from it get a version; of those into it some are
 * merged by that, and none is known to be mergeable any more. As whoever moved it. Each merge request has a transaction
 * of its own; done twice, it changes nothing more.
 */
export async function refreshBranch(ctx: Context, moved: MovedBranch): Promise<void> {
  const acting = (moved.user_id === null ? null : await actAsUser(ctx, moved.user_id)) ?? ctx;
  for (const { id } of await openFrom(ctx, moved)) {
    ctx.signal.throwIfAborted();
    await acting.transaction(() => refreshVersion(acting, id));
  }
  const brought = await broughtCommits(ctx, moved);
  const touched = brought ? await touchedBy(ctx, moved, brought) : await openInto(ctx, moved);
  const landed = touched.some(({ merged }) => merged) ? await landedBy(ctx, moved) : new Map<string, string>();
  for (const { id, merged } of touched) {
    ctx.signal.throwIfAborted();
    await acting.transaction(async () => {
      if (merged) await noteMerged(acting, id, moved, landed);
      else await refreshVersion(acting, id);
    });
  }
  await forgetMergeability(acting, moved);
}

import type { Caller } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { CapstanError, NotFound, Unauthenticated } from '../../core/values/errors.js';
import type { DomainEvent } from '../../core/values/events.js';
import { anyOf } from '../../core/database/expressions.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import type { ProjectSummary } from '../../tenancy/tenancy.events.js';
import { lockForJob } from '../merge-request-versions/refresh-version.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import type { MergeParams, MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { findMergeRequest, findMergeRequestById } from '../merge-requests/merge-request.finder.js';
import { hasSucceeded, headPipelineStatus } from './head-pipeline.js';
import { mergeSettingsOfProject } from './merge-settings.js';
import { mergeWhenReady } from '../merge-requests.jobs.js';
import { obstacleTo, performMerge, requireMergeRight } from './perform-merge.js';

/** The only way of merging later: once the newest pipeline of the head succeeded. */
const STRATEGY = 'merge_when_pipeline_succeeds';

/** Has a merge request, which is locked, merged as the caller once its pipeline succeeds. @returns it as it is now */
export async function setAutoMerge(
  ctx: SignedInContext,
  request: MergeRequestRecord,
  params: MergeParams,
): Promise<MergeRequestRecord> {
  const { id, project, iid, head_sha: sha } = request;
  const values = {
    auto_merge_enabled: true,
    auto_merge_strategy: STRATEGY,
    merge_user_id: ctx.caller.id,
    merge_params: { ...params, ...(sha && { sha }) },
    merge_error: null,
    updated_at: ctx.clock.now(),
    ...(params.should_remove_source_branch !== undefined && {
      should_remove_source_branch: params.should_remove_source_branch,
    }),
  };
  await ctx.em.nativeUpdate(MergeRequest, { id }, values);
  const now = await findMergeRequest(ctx, project, iid);
  ctx.record({ type: 'merge_request.auto_merge_set', merge_request: now, project });
  // Its pipeline may have just succeeded.
  await ctx.jobs.send(mergeWhenReady, { merge_request_id: id });
  return now;
}

type Reason = DomainEvent<'merge_request.auto_merge_canceled'>['reason'];

/** Has a merge request, which is locked, not merged by itself any more. */
export async function cancelAutoMerge(
  ctx: Context<Caller>,
  request: MergeRequest,
  project: ProjectSummary,
  reason: Reason,
  merge_error: string | null = null,
): Promise<void> {
  const values = {
    auto_merge_enabled: false,
    auto_merge_strategy: null,
    merge_user_id: null,
    merge_params: null,
    merge_error,
    updated_at: ctx.clock.now(),
  };
  await ctx.em.nativeUpdate(MergeRequest, { id: request.id }, values);
  ctx.record({ type: 'merge_request.auto_merge_canceled', merge_request: { ...request, ...values }, project, reason });
}

/** Auto-merge applies to one head and one target branch: a push, a new target or closing disables it. */
export async function dropAutoMerge(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'merge_request.pushed' | 'merge_request.changed'>[],
): Promise<void> {
  for (const event of events) {
    const { merge_request: request, project } = event;
    if (!request.auto_merge_enabled) continue;
    const changes = event.type === 'merge_request.changed' ? event.changes : [];
    const closed = changes.some((change) => change.attribute === 'state' && change.to === 'closed');
    const moved = changes.some(({ attribute }) => attribute === 'target_branch');
    if (event.type === 'merge_request.pushed') await cancelAutoMerge(ctx, request, project, 'pushed');
    else if (closed) await cancelAutoMerge(ctx, request, project, 'closed');
    else if (moved) await cancelAutoMerge(ctx, request, project, 'target_changed');
    // What stood in the way may be gone.
    else await ctx.jobs.send(mergeWhenReady, { merge_request_id: request.id });
  }
}

/** Schedules another check of merge requests that were waiting for an approval. */
export async function retryApprovedMerges(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'merge_request.approved'>[],
): Promise<void> {
  const waiting = events.filter(({ merge_request: request }) => request.auto_merge_enabled);
  await ctx.jobs.sendAll(
    mergeWhenReady,
    waiting.map(({ merge_request: { id } }) => ({ merge_request_id: id })),
  );
}

/** Has those merged that wait for pipelines which are finished. */
export async function mergeAfterPipelines(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'pipeline.finished'>[],
): Promise<void> {
  const shas = events.flatMap(({ pipeline: { sha, status } }) =>
    status === 'success' || status === 'skipped' ? [sha] : [],
  );
  if (shas.length === 0) return;
  const waiting = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('merge_requests as i')
    .select('i.id as merge_request_id')
    .where((eb) => eb.ref('i.auto_merge_enabled'))
    .where('i.head_sha', '=', anyOf(shas, 'text'))
    .orderBy('i.id')
    .execute();
  await ctx.jobs.sendAll(mergeWhenReady, waiting);
}

/** Merges a ready merge request as the user who requested it; otherwise does nothing. @throws the blocking condition */
async function mergeIfReady(acting: SignedInContext, id: number): Promise<void> {
  const request = await findMergeRequestById(acting, id);
  const params = request.merge_params ?? {};
  if (!request.auto_merge_enabled || request.state !== 'opened' || request.merge_user_id !== acting.caller.id) return;
  if (params.sha !== undefined && params.sha !== request.head_sha) return;
  const settings = await mergeSettingsOfProject(acting, request.project_id);
  if (!hasSucceeded(await headPipelineStatus(acting, request), settings)) return;
  await requireMergeRight(acting, request);
  if ((await obstacleTo(acting, request, { pipeline_required: false })) !== null) return;
  await performMerge(acting, request, settings, params);
}

/** Records that an auto-merge failed, so that users notice it. */
async function giveUp(ctx: Context, id: number, why: string): Promise<void> {
  await ctx.transaction(async () => {
    const request = await lockForJob(ctx, id);
    if (!request?.auto_merge_enabled || request.state !== 'opened') return;
    await cancelAutoMerge(ctx, request, request.project, 'refused', why);
  });
}

const FORBIDDEN = 'Whoever set it to be merged may not merge it any more.';

/**
 * Merges a merge request with auto-merge, if its pipeline succeeded and no other condition blocks it. If git or missing
 * permissions prevent the merge, the error is recorded and there is no retry. Idempotent.
 */
export async function mergeWhenPipelineSucceeded(ctx: Context, id: number): Promise<void> {
  const row = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('merge_requests as i')
    .select('i.merge_user_id as user_id')
    .where('i.id', '=', id)
    .where((eb) => eb.ref('i.auto_merge_enabled'))
    .executeTakeFirst();
  if (!row) return;
  const acting = row.user_id === null ? null : await actAsUser(ctx, row.user_id);
  if (!acting) return giveUp(ctx, id, FORBIDDEN);
  try {
    await acting.transaction(() => mergeIfReady(acting, id));
  } catch (error) {
    if (error instanceof Unauthenticated || error instanceof NotFound) return giveUp(ctx, id, FORBIDDEN);
    if (isRejection(error)) return giveUp(ctx, id, error.message);
    throw error;
  }
  return undefined;
}

/** What trying again does not help with. */
const isRejection = (error: unknown): error is CapstanError =>
  error instanceof CapstanError && 'status' in error && error.status === 422;

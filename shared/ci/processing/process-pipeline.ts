import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { reachHoldPoint } from '../../core/context/hold-points.js';
import { unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { processPipelines } from '../ci.jobs.js';
import { enqueueJobs } from '../job-queue/enqueue-jobs.js';
import { combineStatuses } from '../job-states/combine-statuses.js';
import { planTransitions } from '../job-states/plan-transitions.js';
import type { Transition } from '../job-states/plan-transitions.js';
import { isCancelableJob } from '../job-states/status-predicates.js';
import { measureProgress, saveProgress } from '../pipelines/pipeline-progress.js';
import { cancelPipelineJobs } from './cancel-jobs.js';
import { endJobs } from './end-jobs.js';
import { loadPipelineJobs, loadPipelineNeeds, lockConfigPipeline } from './load-pipeline-jobs.js';
import type { PipelineJobs } from './load-pipeline-jobs.js';
import { findNextJobs, holdResources, releaseResources } from './resource-groups.js';

/** A delayed job that is so many milliseconds late fails. */
const STALE_MS = 3_600_000;

type LockedPipeline = NonNullable<Awaited<ReturnType<typeof lockConfigPipeline>>>;

/**
 * Works out what follows from the states of a pipeline's jobs, in the caller's transaction: jobs begin, are skipped or
 * wait, and the pipeline's own state follows. It computes everything from the rows, so it may run at any time, twice, or
 * late. Pipelines that only record reports are left alone.
 */
export async function processPipeline(ctx: Context<Caller>, pipelineId: number): Promise<void> {
  const pipeline = await lockConfigPipeline(ctx, pipelineId);
  if (!pipeline) return;
  let jobs = await loadPipelineJobs(ctx, pipelineId);
  await reachHoldPoint(ctx, 'pipeline.loaded', pipelineId);
  if (await endStaleJobs(ctx, pipelineId, jobs)) jobs = await loadPipelineJobs(ctx, pipelineId);
  if (await cancelAfterFailure(ctx, pipeline, jobs)) jobs = await loadPipelineJobs(ctx, pipelineId);
  const needs = jobs.configured.some((job) => job.status === 'created' && job.needs_jobs)
    ? await loadPipelineNeeds(ctx, pipelineId)
    : new Map<number, string[]>();
  const planned = planTransitions(jobs.configured, needs, ctx.clock.now());
  const transitions = await giveResources(ctx, pipelineId, jobs, planned);
  await writeTransitions(ctx, transitions);
  await finishTransitions(ctx, pipelineId, jobs, transitions);
  await updatePipeline(ctx, pipeline, jobs, transitions);
}

/** Delayed jobs that nothing started in time fail. */
async function endStaleJobs(ctx: Context<Caller>, pipelineId: number, { configured }: PipelineJobs): Promise<boolean> {
  const limit = ctx.clock.now().getTime() - STALE_MS;
  const stale = configured.filter(
    ({ status, scheduled_at: at }) => status === 'scheduled' && at && at.getTime() < limit,
  );
  if (stale.length === 0) return false;
  const end = { pipeline_id: pipelineId, status: 'failed', failure_reason: 'stale_schedule' } as const;
  await endJobs(
    ctx,
    stale.map((job) => ({ ...end, job_id: job.id })),
  );
  return true;
}

/**
 * Where the configuration says so, a failed job cancels the rest, but not what a user has retried or played since it
 * failed.
 */
async function cancelAfterFailure(ctx: Context<Caller>, pipeline: LockedPipeline, { configured }: PipelineJobs) {
  if (pipeline.auto_cancel_on_job_failure !== 'all') return false;
  const failures = configured.filter((job) => job.status === 'failed' && !job.allow_failure);
  if (failures.length === 0) return false;
  const failedAt = Math.max(...failures.map((job) => job.finished_at?.getTime() ?? 0));
  const rest = configured.filter(
    (job) => isCancelableJob(job.status) && (job.queued_at ?? job.created_at).getTime() <= failedAt,
  );
  const canceled = await cancelPipelineJobs(
    ctx,
    rest.map(({ id }) => id),
  );
  return canceled.length > 0;
}

/** Lets those of the jobs that wait for a resource begin whose turn it is. */
async function giveResources(
  ctx: Context<Caller>,
  pipelineId: number,
  { configured }: PipelineJobs,
  planned: readonly Transition[],
): Promise<Transition[]> {
  const byId = new Map(planned.map((transition) => [transition.id, transition]));
  const waiting = configured.filter((job) => (byId.get(job.id)?.status ?? job.status) === 'waiting_for_resource');
  if (waiting.length === 0) return [...planned];
  // The next job is found among what is written.
  await writeTransitions(
    ctx,
    planned.filter((transition) => transition.status === 'waiting_for_resource'),
  );
  const groups = new Set(waiting.map((job) => job.resource_group_id as number));
  const next = (await findNextJobs(ctx, [...groups])).filter(
    (job) => job.pipeline_id === pipelineId && job.status === 'waiting_for_resource',
  );
  await holdResources(ctx, next);
  const held = next.map(({ job_id: id }) => ({
    id,
    from: 'waiting_for_resource',
    status: 'pending',
    scheduled_at: byId.get(id)?.scheduled_at ?? configured.find((job) => job.id === id)?.scheduled_at ?? null,
  }));
  const heldIds = new Set(held.map(({ id }) => id));
  return [...planned.filter((transition) => !heldIds.has(transition.id)), ...held];
}

async function writeTransitions(ctx: Context<Caller>, transitions: readonly Transition[]): Promise<void> {
  if (transitions.length === 0) return;
  const now = ctx.clock.now();
  const moved = unnestedColumns({
    id: [transitions.map(({ id }) => id), 'bigint'],
    before: [transitions.map(({ from }) => from), 'text'],
    after: [transitions.map(({ status }) => status), 'text'],
    scheduled_at: [transitions.map((one) => one.scheduled_at), 'timestamptz'],
    queued_at: [transitions.map(({ status }) => (status === 'pending' ? now : null)), 'timestamptz'],
  });
  await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('jobs as j')
    .from(moved.as('u'))
    .set((eb) => ({
      status: eb.ref('u.after'),
      scheduled_at: eb.ref('u.scheduled_at'),
      queued_at: eb.fn.coalesce('u.queued_at', 'j.queued_at'),
      updated_at: now,
    }))
    .whereRef('j.id', '=', 'u.id')
    .whereRef('j.status', '=', 'u.before')
    .execute();
}

/** Pending jobs are queued, delayed ones come back in time, and those that want no resource now leave their turn to others. */
async function finishTransitions(
  ctx: Context<Caller>,
  pipelineId: number,
  { configured }: PipelineJobs,
  transitions: readonly Transition[],
): Promise<void> {
  const idsTo = (status: string) => transitions.filter((one) => one.status === status).map(({ id }) => id);
  await enqueueJobs(ctx, idsTo('pending'));
  const times = new Set(transitions.flatMap((one) => (one.status === 'scheduled' ? [one.scheduled_at as Date] : [])));
  await requestProcessingAt(ctx, pipelineId, [...times]);
  const leaving = new Set([...idsTo('skipped'), ...idsTo('manual')]);
  await releaseResources(
    ctx,
    configured.filter((job) => leaving.has(job.id)),
  );
}

/** Has a pipeline processed again when its delayed jobs may begin. */
async function requestProcessingAt(ctx: Context<Caller>, pipelineId: number, times: readonly Date[]): Promise<void> {
  for (const time of new Set(times.map((one) => one.getTime()))) {
    const options = { startAfter: new Date(time), singletonKey: `${pipelineId} at ${time}` };
    await ctx.jobs.send(processPipelines, { pipeline_id: pipelineId }, options);
  }
}

/** Writes the state of the pipeline, and that it was processed. */
async function updatePipeline(
  ctx: Context<Caller>,
  pipeline: LockedPipeline,
  jobs: PipelineJobs,
  transitions: readonly Transition[],
): Promise<void> {
  const now = ctx.clock.now();
  const states = new Map(transitions.map((one) => [one.id, one.status]));
  const current = jobs.all.map((job) => ({ ...job, status: states.get(job.id) ?? job.status }));
  const failsAlone = pipeline.yaml_errors !== null && jobs.configured.length === 0;
  const status = failsAlone ? null : combineStatuses(current.filter((job) => !job.retried));
  if (status === null) return void (await noteProcessing(ctx, pipeline.id, now));
  // What did not change keeps its times, however often it is processed.
  const isSame = status === pipeline.status && transitions.length === 0;
  await saveProgress(ctx, pipeline.id, {
    ...measureProgress(status, current, now, pipeline.finished_at),
    updated_at: isSame ? pipeline.updated_at : now,
    processed_at: now,
  });
}

const noteProcessing = (ctx: Context<Caller>, pipelineId: number, now: Date) =>
  ctx.em
    .getKysely<CiDatabase>()
    .updateTable('pipelines')
    .set({ processed_at: now })
    .where('id', '=', pipelineId)
    .execute();

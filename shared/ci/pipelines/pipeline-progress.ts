import { sql } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { rowPageNotification } from '../../core/page-changes/page-changes.js';
import { columns } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import { Job } from './job.entity.js';
import type { Pipeline } from './pipeline.entity.js';

/** States in which something may still happen. */
export const ALIVE_STATUSES: readonly string[] = [
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'canceling',
  'manual',
  'scheduled',
];

type Reported = Pick<Job, 'status' | 'allow_failure'>;

/** The status a job counts as: a failed or canceled job that is allowed to fail counts as successful. */
function counted({ status, allow_failure }: Reported): string {
  return allow_failure && (status === 'failed' || status === 'canceled') ? 'success' : status;
}

/**
 * The state of a pipeline as its newest jobs make it (contract decision 17), or null without any. While some are done
 * and others wait it is running; once all are done a failed one decides, then a canceled one.
 */
export function getPipelineStatus(jobs: readonly Reported[]): string | null {
  const found = new Set(jobs.map(counted));
  const only = (...statuses: string[]) => [...found].every((status) => statuses.includes(status));
  if (found.size === 0) return null;
  if (only('skipped')) return 'skipped';
  if (only('success', 'skipped')) return 'success';
  if (only('created')) return 'created';
  if (only('created', 'pending', 'skipped')) return 'pending';
  if (found.has('running') || found.has('pending') || found.has('created')) return 'running';
  return found.has('failed') ? 'failed' : 'canceled';
}

type Timed = Pick<Job, 'started_at' | 'finished_at'>;

/** Seconds in which at least one job ran, those still running counted up to `now`; null when none has started. */
export function secondsRun(jobs: readonly Timed[], now: Date): number | null {
  const periods = jobs
    .flatMap(({ started_at: from, finished_at: to }) =>
      from ? [{ from: from.getTime(), to: (to ?? now).getTime() }] : [],
    )
    .sort((one, other) => one.from - other.from);
  if (periods.length === 0) return null;
  let total = 0;
  let reached = -Infinity;
  for (const { from, to } of periods) {
    total += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return Math.round(total / 1000);
}

function averageCoverage(jobs: readonly Job[]): number | null {
  const values = jobs.flatMap(({ coverage }) => (typeof coverage === 'number' ? [coverage] : []));
  if (values.length === 0) return null;
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 100) / 100;
}

function extreme(times: readonly (Date | null | undefined)[], pick: (...values: number[]) => number): Date | null {
  const timestamps = times.flatMap((time) => (time ? [time.getTime()] : []));
  return timestamps.length === 0 ? null : new Date(pick(...timestamps));
}

const jobsOfPipeline = prepareQuery<CiDatabase, { pipeline_id: number }, Job>((db, values) =>
  db.selectFrom('jobs as j').select(columns(Job, 'j')).where('j.pipeline_id', '=', values.pipeline_id),
);

/** The new state of a pipeline. */
type Progress = Pick<Pipeline, 'status' | 'started_at' | 'finished_at' | 'duration' | 'coverage' | 'updated_at'>;

/** Writes the progress and returns the previous state. */
const writeProgress = (ctx: Context, pipelineId: number, progress: Progress) =>
  ctx.em
    .getKysely<CiDatabase>()
    .with('before', (db) => db.selectFrom('pipelines as b').select(['b.id', 'b.status']).where('b.id', '=', pipelineId))
    .updateTable('pipelines as pl')
    .from('before')
    .set((eb) => {
      const startedAt = eb.cast<Date | null>(eb.val(progress.started_at), 'timestamptz');
      return {
        ...progress,
        queued_duration: sql<number | null>`round(extract(epoch from ${startedAt} - ${eb.ref('pl.created_at')}))::int`,
      };
    })
    .whereRef('pl.id', '=', 'before.id')
    .returning((eb) => [
      'pl.id',
      'pl.project_id',
      'pl.ref',
      'pl.sha',
      'pl.status',
      'before.status as before',
      rowPageNotification('pipelines', eb.ref('pl.project_id')).as('notified'),
    ])
    .executeTakeFirst();

/**
 * Updates a pipeline's state, times and coverage from its jobs, in the caller's transaction, which holds the lock on
 * the pipeline's row. A pipeline without jobs stays unchanged.
 */
export async function syncPipeline(ctx: Context, pipelineId: number): Promise<void> {
  const jobs = await jobsOfPipeline(ctx, { pipeline_id: pipelineId });
  const newest = jobs.filter((job) => !job.retried);
  const status = getPipelineStatus(newest);
  if (status === null) return;
  const now = ctx.clock.now();
  const done = !ALIVE_STATUSES.includes(status);
  const startedAt = extreme(
    jobs.map((job) => job.started_at),
    Math.min,
  );
  const finishedAt = done
    ? (extreme(
        newest.map((job) => job.finished_at),
        Math.max,
      ) ?? now)
    : null;
  const changed = await writeProgress(ctx, pipelineId, {
    status,
    started_at: startedAt,
    finished_at: finishedAt,
    duration: done ? secondsRun(jobs, now) : null,
    coverage: averageCoverage(newest),
    updated_at: now,
  });
  if (!changed || !done || changed.before === status) return;
  const { before: _before, notified: _notified, ...pipeline } = changed;
  ctx.record({ type: 'pipeline.finished', pipeline });
}

import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { rowPageNotification } from '../../core/page-changes/page-changes.js';
import { columns } from '../../core/database/columns.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import { combineStatuses } from '../job-states/combine-statuses.js';
import { isAlive, isComplete } from '../job-states/status-predicates.js';
import { Job } from './job.entity.js';
import type { Pipeline } from './pipeline.entity.js';

type Reported = Pick<Job, 'status' | 'allow_failure'>;

/** The status a job counts as: a failed or canceled job that is allowed to fail counts as successful. */
function counted({ status, allow_failure }: Reported): string {
  return allow_failure && (status === 'failed' || status === 'canceled') ? 'success' : status;
}

/**
 * The state of a pipeline that records reports, as its newest jobs make it (contract decision 17), or null without any. While some are done
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

function averageCoverage(jobs: readonly Pick<Job, 'coverage'>[]): number | null {
  const values = jobs.flatMap(({ coverage }) => (typeof coverage === 'number' ? [coverage] : []));
  if (values.length === 0) return null;
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 100) / 100;
}

function extreme(times: readonly (Date | null | undefined)[], pick: (...values: number[]) => number): Date | null {
  const timestamps = times.flatMap((time) => (time ? [time.getTime()] : []));
  return timestamps.length === 0 ? null : new Date(pick(...timestamps));
}

/** What the progress of a pipeline follows from. */
const OF_JOBS = ['kind', 'status', 'allow_failure', 'retried', 'coverage', 'started_at', 'finished_at'] as const;
export type ProgressJob = Pick<Job, (typeof OF_JOBS)[number]>;

const jobsOfPipeline = prepareQuery(
  (db: Kysely<CiDatabase>, { pipeline_id: id }: Placeholders<{ pipeline_id: number }>) =>
    db
      .selectFrom('jobs as j')
      .innerJoin('pipelines as pl', 'pl.id', 'j.pipeline_id')
      .select([...columns(Job, 'j', OF_JOBS), 'pl.kind as pipeline_kind', 'pl.yaml_errors'])
      .where('j.pipeline_id', '=', id),
);

/** The new state of a pipeline. */
type Progress = Pick<Pipeline, 'status' | 'started_at' | 'finished_at' | 'duration' | 'coverage' | 'updated_at'> &
  Partial<Pick<Pipeline, 'processed_at'>>;

/** Writes the progress and returns the previous state. */
const writeProgress = (ctx: Context<Caller>, pipelineId: number, progress: Progress) =>
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
 * What a pipeline's times and coverage are by its jobs, once its state is known.
 * @param finishedAt when it finished, as far as its jobs do not tell
 */
export function measureProgress(
  status: string,
  jobs: readonly ProgressJob[],
  now: Date,
  finishedAt: Date | null = null,
): Progress {
  const newest = jobs.filter((job) => !job.retried);
  const done = isComplete(status);
  return {
    status,
    started_at: extreme(
      jobs.map((job) => job.started_at),
      Math.min,
    ),
    finished_at: done
      ? (extreme(
          newest.map((job) => job.finished_at),
          Math.max,
        ) ??
        finishedAt ??
        now)
      : null,
    duration: done ? secondsRun(jobs, now) : null,
    coverage: averageCoverage(newest),
    updated_at: now,
  };
}

/** Writes the progress of a pipeline, whose row is locked, and records that it finished when it has. */
export async function saveProgress(ctx: Context<Caller>, pipelineId: number, progress: Progress): Promise<void> {
  const changed = await writeProgress(ctx, pipelineId, progress);
  if (!changed || isAlive(progress.status) || changed.before === progress.status) return;
  const { before: _before, notified: _notified, ...pipeline } = changed;
  ctx.record({ type: 'pipeline.finished', pipeline });
}

/**
 * Updates a pipeline's state, times and coverage from its jobs, in the caller's transaction, which holds the lock on
 * the pipeline's row. A pipeline without jobs stays unchanged, and so does one whose configuration is wrong.
 */
export async function syncPipeline(ctx: Context<Caller>, pipelineId: number): Promise<void> {
  const jobs = await jobsOfPipeline(ctx, { pipeline_id: pipelineId });
  const newest = jobs.filter((job) => !job.retried);
  const [first] = newest;
  if (!first || first.yaml_errors !== null) return;
  const status = first.pipeline_kind === 'config' ? combineStatuses(newest) : getPipelineStatus(newest);
  if (status !== null) await saveProgress(ctx, pipelineId, measureProgress(status, jobs, ctx.clock.now()));
}

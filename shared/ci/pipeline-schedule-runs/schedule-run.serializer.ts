import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { CiDatabase } from '../ci.entities.js';
import type { UpcomingRun } from '../cron/next-runs.js';
import { RUN_CAUSES } from '../pipeline-schedules/pipeline-schedule.entity.js';
import type { PipelineScheduleRun } from '../pipeline-schedules/pipeline-schedule.entity.js';

export const RUN_STATES = ['pending', 'fired', 'failed', 'missed', 'skipped', 'filtered', 'config_error'] as const;

/** The outcome of a due time: its state, with `fired` split by punctuality and trigger. */
export const RUN_OUTCOMES = [
  'on_time',
  'late',
  'played',
  'pending',
  'failed',
  'missed',
  'skipped',
  'filtered',
  'config_error',
] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** A run that started up to this long after it was due was on time, in milliseconds. */
export const ON_TIME_MS = 1000;

/** A run as listed; one that is not recorded represents the due times skipped by an inactive schedule. */
export type RunRecord = Pick<PipelineScheduleRun, (typeof RUN_COLUMNS)[number]> & { recorded: boolean };

/** Columns read for a run. */
export const RUN_COLUMNS = [
  'id',
  'due_at',
  'started_at',
  'state',
  'cause',
  'reason',
  'pipeline_id',
  'trigger',
] as const;

/** Milliseconds from due to started; null for what did not start. */
export const runLateness = ({ started_at: started, due_at: due }: Pick<RunRecord, 'started_at' | 'due_at'>) =>
  started ? started.getTime() - due.getTime() : null;

export function runOutcome(run: RunRecord): RunOutcome {
  if (run.state !== 'fired') return run.state as RunOutcome;
  if (run.trigger === 'play') return 'played';
  return (runLateness(run) ?? 0) <= ON_TIME_MS ? 'on_time' : 'late';
}

interface FirstJob {
  id: number;
  name: string;
  status: string;
  first_log_at: Date | null;
}

/** The first job of each run's pipeline, by one statement. */
const firstJobs = load(
  (run: Readonly<RunRecord>) => run.pipeline_id ?? 0,
  async (ctx, runs) => {
    const ids = runs.flatMap(({ pipeline_id: id }) => (id ? [id] : []));
    const rows = await ctx.em
      .getKysely<CiDatabase>()
      .selectFrom('jobs as j')
      .distinctOn('j.pipeline_id')
      .select(['j.pipeline_id', 'j.id', 'j.name', 'j.status', 'j.first_log_at'])
      .where('j.pipeline_id', '=', anyOf(ids, 'bigint'))
      .where('j.kind', '=', constant<'build' | 'status'>('build'))
      .orderBy('j.pipeline_id')
      .orderBy('j.first_log_at', (order) => order.asc().nullsLast())
      .orderBy('j.started_at', (order) => order.asc().nullsLast())
      .orderBy('j.id')
      .execute();
    return new Map(rows.map((row): [number, FirstJob] => [row.pipeline_id, row]));
  },
);

const findFirstJob = (run: RunRecord, ctx: Context): FirstJob | null =>
  run.pipeline_id === null ? null : (firstJobs.of(run, ctx) ?? null);

const firstJob = serializer<FirstJob>('PipelineScheduleRunJob', {
  id: out.integer(({ id }) => id),
  name: out.text(({ name }) => name),
  status: out.text(({ status }) => status),
});

/** One run of a schedule: when it was due, and what became of it. */
export const scheduleRunSerializer = serializer<RunRecord>(
  'PipelineScheduleRun',
  {
    id: out.nullableInteger((run) => (run.recorded ? run.id : null)),
    due_at: out.instant((run) => run.due_at),
    started_at: out.nullableInstant((run) => run.started_at),
    lateness_ms: out.nullableInteger(runLateness, {
      description: 'Number of milliseconds between the due time and the start.',
    }),
    state: out.text((run) => run.state, { enum: RUN_STATES }),
    outcome: out.text(runOutcome, {
      enum: RUN_OUTCOMES,
      description:
        'Outcome of the run: the state, or instead of `fired` one of: on time, late by over a second, or played by hand.',
    }),
    cause: out.nullableText((run) => run.cause, {
      enum: [...RUN_CAUSES, null],
      description: 'One-word cause why the run did not fire.',
    }),
    reason: out.nullableText((run) => run.reason, { description: 'Explanation of why the run did not fire.' }),
    pipeline_id: out.nullableInteger((run) => run.pipeline_id),
    by: out.text((run) => run.trigger, { enum: ['cron', 'play'] }),
    first_job: out.nullableRecord(firstJob, (run, ctx) => findFirstJob(run, ctx), {
      description: 'Job of the pipeline that wrote a log, or started, before all others.',
    }),
    first_log_at: out.nullableInstant((run, ctx) => findFirstJob(run, ctx)?.first_log_at ?? null, {
      description: 'Time of the first log of the pipeline.',
    }),
  },
  { loads: [firstJobs] },
);

/** One run to come. */
export const nextRunSerializer = serializer<UpcomingRun>('PipelineScheduleNextRun', {
  at: out.instant((run) => run.at),
  local_time: out.text((run) => run.local, { description: "Local time of the run in the schedule's time zone." }),
  offset: out.text((run) => run.offset, { description: 'Offset of the local time from UTC.' }),
  note: out.nullableText((run) => run.note, { description: 'Note on what is special about the run.' }),
});

import { out, serializer } from '../../core/operations/serializer.js';
import type { UpcomingRun } from '../cron/next-runs.js';
import { RUN_CAUSES } from '../pipeline-schedules/pipeline-schedule.entity.js';
import type { PipelineScheduleRun } from '../pipeline-schedules/pipeline-schedule.entity.js';

export const RUN_STATES = ['pending', 'fired', 'failed', 'missed', 'skipped'] as const;

/** What became of a due time, in one word: its state, where that is `fired` also how late, or by whose hand. */
export const RUN_OUTCOMES = ['on_time', 'late', 'played', 'pending', 'failed', 'missed', 'skipped'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** A run that started up to this long after it was due was on time, in milliseconds. */
export const ON_TIME_MS = 1000;

/** A run as listed; one that is not recorded stands for what an inactive schedule let pass. */
export type RunRecord = Pick<PipelineScheduleRun, (typeof RUN_COLUMNS)[number]> & { recorded: boolean };

/** What is read of a run. */
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

/** One run of a schedule: when it was due, and what became of it. */
export const scheduleRunSerializer = serializer<RunRecord>('PipelineScheduleRun', {
  id: out.nullableInteger((run) => (run.recorded ? run.id : null)),
  due_at: out.instant((run) => run.due_at),
  started_at: out.nullableInstant((run) => run.started_at),
  lateness_ms: out.nullableInteger(runLateness, { description: 'Milliseconds from due to started.' }),
  state: out.text((run) => run.state, { enum: RUN_STATES }),
  outcome: out.text(runOutcome, {
    enum: RUN_OUTCOMES,
    description: 'The state; in place of `fired` whether that was on time, late by over a second, or by hand.',
  }),
  cause: out.nullableText((run) => run.cause, {
    enum: [...RUN_CAUSES, null],
    description: 'Why it did not fire, as one word.',
  }),
  reason: out.nullableText((run) => run.reason, { description: 'In words, why it did not fire.' }),
  pipeline_id: out.nullableInteger((run) => run.pipeline_id),
  by: out.text((run) => run.trigger, { enum: ['cron', 'play'] }),
});

/** One run to come. */
export const nextRunSerializer = serializer<UpcomingRun>('PipelineScheduleNextRun', {
  at: out.instant((run) => run.at),
  local_time: out.text((run) => run.local, { description: "On the wall clock of the schedule's time zone." }),
  offset: out.text((run) => run.offset, { description: 'Of that clock from UTC.' }),
  note: out.nullableText((run) => run.note, { description: 'In words, what is special about it.' }),
});

import { out, shape } from '../../core/shape.js';
import type { UpcomingRun } from '../cron/next-runs.js';
import type { PipelineScheduleRun } from '../pipeline-schedules/pipeline-schedule.entity.js';

export const RUN_STATES = ['pending', 'fired', 'failed', 'missed', 'skipped'] as const;

/** A run as listed; one that is not recorded stands for what an inactive schedule let pass. */
export type RunRecord = Pick<
  PipelineScheduleRun,
  'id' | 'due_at' | 'started_at' | 'state' | 'reason' | 'pipeline_id' | 'trigger'
> & { recorded: boolean };

/** One run of a schedule: when it was due, and what became of it. */
export const scheduleRunShape = shape<RunRecord>('PipelineScheduleRun', {
  id: out.nullableInteger((run) => (run.recorded ? run.id : null)),
  due_at: out.instant((run) => run.due_at),
  started_at: out.nullableInstant((run) => run.started_at),
  lateness_ms: out.nullableInteger((run) => (run.started_at ? run.started_at.getTime() - run.due_at.getTime() : null), {
    description: 'Milliseconds from due to started.',
  }),
  state: out.text((run) => run.state, { enum: RUN_STATES }),
  reason: out.nullableText((run) => run.reason, { description: 'In words, why it did not fire.' }),
  pipeline_id: out.nullableInteger((run) => run.pipeline_id),
  by: out.text((run) => run.trigger, { enum: ['cron', 'play'] }),
});

/** One run to come. */
export const nextRunShape = shape<UpcomingRun>('PipelineScheduleNextRun', {
  at: out.instant((run) => run.at),
  local_time: out.text((run) => run.local, { description: "On the wall clock of the schedule's time zone." }),
  offset: out.text((run) => run.offset, { description: 'Of that clock from UTC.' }),
  note: out.nullableText((run) => run.note, { description: 'In words, what is special about it.' }),
});

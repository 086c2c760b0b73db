import { out, serializer } from '../../core/operations/serializer.js';
import { RUNNER_TYPES } from '../runners/runner.serializer.js';
import { WAITING_REASONS } from './runners-for-job.js';
import type { RunnerForJob } from './runners-for-job.js';

/** Whether a job waits for a runner, and for which. */
export interface WaitingJob {
  readonly status: string;
  /** Counted from 1, of the jobs of its project; null if it is not queued. */
  readonly position: number | null;
  readonly queued_at: Date | null;
  readonly runners: readonly RunnerForJob[];
  /** How many the caller may not see. */
  readonly others: { readonly fitting: number; readonly unfit: number };
}

const runnerForJob = serializer<RunnerForJob>('JobQueueRunner', {
  id: out.integer((runner) => runner.id),
  description: out.nullableText((runner) => runner.description),
  runner_type: out.text((runner) => runner.runner_type, { enum: RUNNER_TYPES }),
  fits: out.boolean((runner) => runner.fits, {
    description: 'If `true`, the runner takes such jobs once it is online and has nothing else to do.',
  }),
  reasons: out.texts((runner) => runner.reasons, {
    description: `Reasons for which it does not do the job now: ${WAITING_REASONS.map((reason) => `\`${reason}\``).join(', ')}.`,
  }),
});

const otherRunners = serializer<WaitingJob['others']>('JobQueueOtherRunners', {
  fitting: out.integer(({ fitting }) => fitting),
  unfit: out.integer(({ unfit }) => unfit),
});

/** Why a job waits (ci-execution.md section 17). */
export const waitingJobSerializer = serializer<WaitingJob>('JobQueue', {
  status: out.text((job) => job.status),
  position: out.nullableInteger((job) => job.position, {
    description: 'Its turn among the queued jobs of its project, from 1; null if it does not wait for a runner.',
  }),
  queued_at: out.nullableInstant((job) => job.queued_at),
  runners: out.records(runnerForJob, (job) => job.runners),
  other_runners: out.record(otherRunners, (job) => job.others, {
    description: 'Numbers of further runners, which the caller may not see.',
  }),
});

import type { Context } from '../../core/context/context.js';
import { splitPayload } from '../../core/values/job-context.js';
import { attemptsOfJob } from '../pg-boss/job-attempt.finder.js';
import type { JobAttemptRecord } from '../pg-boss/job-attempt.finder.js';
import { findQueueJob, readCarried } from '../pg-boss/job.finder.js';
import type { CarriedByJob, QueueJobRecord } from '../pg-boss/job.finder.js';
import { redacted, redactText } from './redact.js';
import type { RedactedValue } from './redact.js';

/** Everything that administrators see of a job. */
export interface JobDetail extends QueueJobRecord {
  args: RedactedValue;
  output: RedactedValue;
  error_stack: string | null;
  attempts: JobAttemptRecord[];
  /** Null once no try comes any more, and while it runs. */
  next_run_at: Date | null;
  /** Who runs it, or ran it last: `host:4711`. */
  worker: string | null;
}

/** @throws NotFound "404 Job Not Found" */
export async function readJob(ctx: Context, id: string): Promise<JobDetail> {
  const job = await findQueueJob(ctx, id);
  const [carried, attempts] = await Promise.all([
    readCarried(ctx, job.queue, job.id),
    attemptsOfJob(ctx, job.queue, job.id),
  ]);
  return getDetail(job, carried, attempts);
}

function getDetail(job: QueueJobRecord, carried: CarriedByJob | null, attempts: JobAttemptRecord[]): JobDetail {
  const { payload } = splitPayload(carried?.data ?? null);
  const failed = job.state !== 'completed' && carried?.output ? carried.output : null;
  const stack = typeof failed?.stack === 'string' ? failed.stack : null;
  const message = typeof failed?.message === 'string' ? failed.message : null;
  return {
    ...job,
    error_message: redactText(message, payload),
    error_stack: redactText(stack, payload),
    args: carried?.too_long ? { value: null, truncated: true } : redacted(payload, payload),
    output: redacted(carried?.output ?? null, payload),
    attempts: attempts.map((attempt) => ({
      ...attempt,
      message: redactText(attempt.message, payload),
      stack: redactText(attempt.stack, payload),
    })),
    next_run_at: ['created', 'retry'].includes(job.state) && !job.blocked ? job.start_after : null,
    worker: attempts.at(-1)?.worker ?? null,
  };
}

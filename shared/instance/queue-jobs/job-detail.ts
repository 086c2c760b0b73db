import type { Context } from '../../core/context.js';
import { splitPayload } from '../../core/job-context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { attemptsOfJob } from '../queue-workers/job-attempt.finder.js';
import type { JobAttemptRecord } from '../queue-workers/job-attempt.finder.js';
import { findQueueJob } from './job.finder.js';
import type { QueueJobRecord } from './job.finder.js';
import { redacted, shownText } from './redact.js';
import type { ShownValue } from './redact.js';

/** Everything that administrators see of a job. */
export interface JobDetail extends QueueJobRecord {
  args: ShownValue;
  output: ShownValue;
  error_stack: string | null;
  attempts: JobAttemptRecord[];
  /** Null once no try comes any more, and while it runs. */
  next_run_at: Date | null;
  /** Who runs it, or ran it last: `host:4711`. */
  worker: string | null;
}

interface Carried {
  data: object | null;
  output: Record<string, unknown> | null;
}

/** More is read of no job: what is longer is told to be too long. */
const READ_BYTES = 8 * 1024 * 1024;

/** Whether a value is read at all; first by what is stored, which may be much shorter. */
const fits = (value: Fragment): Fragment => sql`
  case when pg_column_size(${value}) <= ${READ_BYTES} then octet_length(${value}::text) <= ${READ_BYTES} else false end`;

/** @throws NotFound "404 Job Not Found" */
export async function readJob(ctx: Context, id: string): Promise<JobDetail> {
  const job = await findQueueJob(ctx, id);
  const [[carried], attempts] = await Promise.all([
    ctx.query<Carried & { too_long: boolean }>(sql`
      select case when ${fits(sql`j.data`)} then j.data end as "data",
             case when ${fits(sql`j.output`)} then j.output end as "output",
             not ${fits(sql`j.data`)} as "too_long"
        from pgboss.job j where j.name = ${job.queue} and j.id = ${job.id}::uuid`),
    attemptsOfJob(ctx, job.queue, job.id),
  ]);
  return detailOf(job, carried ?? null, attempts);
}

function detailOf(
  job: QueueJobRecord,
  carried: (Carried & { too_long: boolean | null }) | null,
  attempts: JobAttemptRecord[],
): JobDetail {
  const { payload } = splitPayload(carried?.data ?? null);
  const failed = job.state !== 'completed' && carried?.output ? carried.output : null;
  const stack = typeof failed?.stack === 'string' ? failed.stack : null;
  const message = typeof failed?.message === 'string' ? failed.message : null;
  return {
    ...job,
    error_message: shownText(message, payload),
    error_stack: shownText(stack, payload),
    args: carried?.too_long ? { value: null, truncated: true } : redacted(payload, payload),
    output: redacted(carried?.output ?? null, payload),
    attempts: attempts.map((attempt) => ({
      ...attempt,
      message: shownText(attempt.message, payload),
      stack: shownText(attempt.stack, payload),
    })),
    next_run_at: ['created', 'retry'].includes(job.state) && !job.blocked ? job.start_after : null,
    worker: attempts.at(-1)?.worker ?? null,
  };
}

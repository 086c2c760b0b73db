import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

export interface JobAttemptRecord {
  attempt: number;
  /** Host and process id of the worker. */
  worker: string;
  started_at: Date;
  /** Null while it runs. */
  ended_at: Date | null;
  /** `running`, `completed`, `failed`, `cancelled`, or `lost` with its worker. */
  outcome: string;
  error_class: string | null;
  message: string | null;
  stack: string | null;
}

/** Every attempt of a job, the one that runs included, the first one first. */
export const attemptsOfJob = (ctx: Context, queue: string, jobId: string): Promise<JobAttemptRecord[]> =>
  ctx.query<JobAttemptRecord>(sql`
    select x.attempt as "attempt", x.worker as "worker", x.started_at as "started_at", x.ended_at as "ended_at",
           x.outcome as "outcome", x.error_class as "error_class", x.message as "message", x.stack as "stack"
      from (select a.attempt, a.worker, a.started_at, a.ended_at, a.outcome, a.error_class, a.message, a.stack
              from job_attempts a where a.job_id = ${jobId}::uuid and a.queue = ${queue}
            union all
            select u.attempt, w.hostname || ':' || w.pid, b.started_at, null, 'running', null, null, null
              from queue_batches b
             cross join unnest(b.job_ids, b.attempts) as u (id, attempt)
              join queue_workers w on w.id = b.worker_id
             where b.queue = ${queue} and b.ended_at is null and u.id = ${jobId}::uuid and not exists (
               select 1 from job_attempts a where a.job_id = u.id and a.attempt = u.attempt)) x
     order by x.attempt`);

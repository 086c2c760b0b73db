import type { Queryable } from '../../core/database/database.js';
import { sql } from '../../core/sql.js';
import { wakeQueues } from './queue-channel.js';
import { takeOfLost } from './worker-session.js';

/** What is told of an attempt that ended with its worker. */
const LOST = { error_class: 'WorkerLost', message: 'The worker process ended while the job ran.' };

/** The part of the queue that fails jobs by the attempts that were begun, on a connection of the caller's. */
interface JobFailer {
  fail(
    queue: string,
    jobs: { id: string; retryCount: number }[],
    output: object,
    options: { db: { executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> } },
  ): Promise<unknown>;
}

interface LostJob {
  queue: string;
  id: string;
  attempt: number;
  /** Whether it may be tried again. */
  again: boolean;
}

/** Jobs that a worker had in hand and that are still active by the attempt that it began. */
const inItsHands = (workerId: number) => sql`
  select b.queue, j.id, u.attempt, b.started_at, j.created_on, j.retry_count < j.retry_limit as again
    from queue_batches b
   cross join unnest(b.job_ids, b.attempts) as u (id, attempt)
    join pgboss.job j on j.name = b.queue and j.id = u.id and j.state = 'active' and j.retry_count = u.attempt - 1
   where b.worker_id = ${workerId}`;

/**
 * Hands back what a worker had in hand that is gone, if nobody else has done so: the attempts end as lost, and the jobs
 * wait for any worker at once, or fail where this was their last try. In the session's open transaction.
 * @param own the worker that looks: it counts them
 * @returns the jobs; null when the worker lives, or somebody else sees to it
 */
export async function rescueJobs(
  session: Queryable,
  boss: JobFailer,
  lost: number,
  own: number,
): Promise<readonly LostJob[] | null> {
  if (!(await takeOfLost(session, lost))) return null;
  const [worker] = await session.query<{ name: string }>(sql`
    update queue_workers set lost_at = now(), busy = 0 where id = ${lost} and lost_at is null
    returning hostname || ':' || pid as "name"`);
  if (!worker) return null;
  const jobs = await session.query<LostJob>(sql`
    with held as materialized (${inItsHands(lost)}),
    ended as (
      insert into job_attempts (job_id, attempt, queue, worker, started_at, ended_at, outcome, error_class, message,
                                job_created_at)
      select h.id, h.attempt, h.queue, ${worker.name}, h.started_at, now(), 'lost', ${LOST.error_class},
             ${LOST.message}, h.created_on
        from held h on conflict (job_id, attempt) do nothing),
    counted as (
      insert into queue_counters as c (queue, worker_id, processed, failed)
      select h.queue, ${own}::bigint, count(*), count(*) from held h group by h.queue
      on conflict (queue, worker_id) do update
        set processed = c.processed + excluded.processed, failed = c.failed + excluded.failed),
    back as (
      update pgboss.job j set state = 'retry', start_after = pgboss.job_now(), heartbeat_on = null
        from held h where j.name = h.queue and j.id = h.id and h.again),
    forgotten as (delete from queue_batches b where b.worker_id = ${lost})
    select h.queue as "queue", h.id as "id", h.attempt as "attempt", h.again as "again" from held h`);
  await failLast(session, boss, jobs);
  await wakeQueues(session, [...new Set(jobs.filter(({ again }) => again).map(({ queue }) => queue))]);
  return jobs;
}

/** Fails those that have no try left, as the queue does. */
async function failLast(session: Queryable, boss: JobFailer, jobs: readonly LostJob[]): Promise<void> {
  const db = {
    executeSql: async (text: string, values: unknown[] = []) => ({
      rows: await session.query<unknown>({ text, values } as never),
    }),
  };
  const last = Map.groupBy(
    jobs.filter(({ again }) => !again),
    ({ queue }) => queue,
  );
  for (const [queue, some] of last)
    await boss.fail(
      queue,
      some.map(({ id, attempt }) => ({ id, retryCount: attempt - 1 })),
      LOST,
      { db },
    );
}

import type { Queryable } from '../../core/database/database.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { JobError } from './job-error.js';

/** Where a batch is worked on: by which process, and in which of its places for the queue. */
export interface BatchPlace {
  worker_id: number;
  /** As attempts name the process: `host:4711`. */
  worker: string;
  queue: string;
  slot: number;
}

export type AttemptOutcome = 'completed' | 'failed' | 'cancelled' | 'lost';

export interface EndedAttempt {
  job_id: string;
  attempt: number;
  started_at: Date;
  ended_at: Date;
  outcome: AttemptOutcome;
  error: JobError | null;
}

/** An array of ids or numbers as PostgreSQL reads it: none of them needs quotes, which the driver looks for in each. */
const arrayOf = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;

/**
 * The commit does not wait for the disk: what a crash of the database takes away is history and counts of its last
 * moments, never a job.
 */
const soon = sql`select set_config('synchronous_commit', 'off', true)`;

/** Writes that these jobs run, with one statement for the batch. It takes the row of the batch before it. */
export async function recordStart(
  db: Queryable,
  place: BatchPlace,
  jobs: readonly { id: string; attempt: number }[],
  at: Date,
): Promise<void> {
  await db.query(sql`
    insert into queue_batches as b (worker_id, queue, slot, job_ids, attempts, started_at)
    select ${place.worker_id}::bigint, ${place.queue}, ${place.slot}::int, ${arrayOf(jobs.map(({ id }) => id))}::uuid[],
           ${arrayOf(jobs.map(({ attempt }) => attempt))}::int[], ${at}::timestamptz
      from (${soon}) s
    on conflict (worker_id, queue, slot) do update
      set job_ids = excluded.job_ids, attempts = excluded.attempts, started_at = excluded.started_at, ended_at = null`);
}

/** Rows of attempts from arrays; the errors, of which there are few, as a JSON object by the attempt's place. */
function rowsOf(place: Pick<BatchPlace, 'queue' | 'worker'>, ended: readonly EndedAttempt[]): Fragment {
  const errors = Object.fromEntries(ended.flatMap(({ error }, index) => (error ? [[index + 1, error]] : [])));
  return sql`
    select u.job_id, u.attempt, ${place.queue}::text, ${place.worker}::text, u.started_at, u.ended_at, u.outcome,
           e.error ->> 'error_class', e.error ->> 'message', e.error ->> 'stack',
           case when e.error is not null then (
             select j.created_on from pgboss.job j where j.name = ${place.queue} and j.id = u.job_id) end
      from unnest(${ended.map((one) => one.job_id)}::uuid[], ${ended.map((one) => one.attempt)}::int[],
                  ${ended.map((one) => one.started_at)}::timestamptz[],
                  ${ended.map((one) => one.ended_at)}::timestamptz[],
                  ${ended.map((one) => one.outcome)}::text[])
           with ordinality as u (job_id, attempt, started_at, ended_at, outcome, n)
      left join lateral (select ${JSON.stringify(errors)}::jsonb -> u.n::text as error) e on true`;
}

/** The same for a batch that wholly succeeded, as most do: outcome and times once. */
function rowsOfSuccess(place: Pick<BatchPlace, 'queue' | 'worker'>, ended: readonly EndedAttempt[]): Fragment {
  const first = Number(ended[0]?.started_at);
  return sql`
    select u.job_id, u.attempt, ${place.queue}::text, ${place.worker}::text,
           ${ended[0]?.started_at ?? null}::timestamptz + u.started * interval '1 ms',
           ${ended[0]?.started_at ?? null}::timestamptz + u.ended * interval '1 ms', 'completed', null, null, null, null::timestamptz
      from unnest(${arrayOf(ended.map((one) => one.job_id))}::uuid[],
                  ${arrayOf(ended.map((one) => one.attempt))}::int[],
                  ${arrayOf(ended.map((one) => Number(one.started_at) - first))}::int[],
                  ${arrayOf(ended.map((one) => Number(one.ended_at) - first))}::int[])
           as u (job_id, attempt, started, ended)`;
}

/**
 * Writes how the attempts of a batch ended, counts them and marks the batch as ended, with one statement. The row of
 * the batch stays until the next one takes it: the queue settles the jobs only after this, and should the process die
 * in between, others find there what it had in hand.
 */
export async function recordEnd(db: Queryable, place: BatchPlace, ended: readonly EndedAttempt[]): Promise<void> {
  const failed = ended.filter(({ outcome }) => outcome === 'failed' || outcome === 'lost').length;
  const smooth = ended.every(({ outcome }) => outcome === 'completed');
  await db.query(sql`
    with soon as materialized (${soon}),
    over as (
      update queue_batches b set ended_at = ${ended.at(-1)?.ended_at ?? null}::timestamptz
       where b.worker_id = ${place.worker_id} and b.queue = ${place.queue} and b.slot = ${place.slot}),
    counted as (
      insert into queue_counters as c (queue, worker_id, processed, failed)
      select ${place.queue}, ${place.worker_id}::bigint, ${ended.length}::bigint, ${failed}::bigint from soon
      on conflict (queue, worker_id) do update
        set processed = c.processed + excluded.processed, failed = c.failed + excluded.failed)
    insert into job_attempts
      (job_id, attempt, queue, worker, started_at, ended_at, outcome, error_class, message, stack, job_created_at)
    ${smooth ? rowsOfSuccess(place, ended) : rowsOf(place, ended)}
    on conflict (job_id, attempt) do nothing`);
}

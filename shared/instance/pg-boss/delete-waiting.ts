import type { Context } from '../../core/context.js';
import type { Queryable } from '../../core/database/database.js';
import { and, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { recordDropped } from './act-on-jobs.js';

/** Jobs that are deleted at most: far less than 30 s of work. */
const MOST = 10_000;

/** What became of it; `completed` false says: call again. */
export interface DeletedJobs {
  completed: boolean;
  deleted_jobs: number;
  /** Jobs that still wait in the queue. */
  queue_size: number;
}

/** By what jobs are deleted: their id, their queue as `worker_class`, or what their context says under a key. */
export interface JobMark {
  key: string;
  value: string;
}

function hasMark({ key, value }: JobMark): Fragment {
  if (key === 'worker_class') return sql`j.name = ${value}`;
  if (key === 'job_id') return sql`j.id::text = lower(${value})`;
  return sql`j.data -> '_ctx' ->> ${key}::text = ${value}`;
}

/** Deletes waiting jobs of a queue that have all of some marks. In the caller's transaction. */
export async function deleteWaiting(ctx: Context, queue: string, marks: readonly JobMark[]): Promise<DeletedJobs> {
  const [result] = await ctx.query<{ found: number; deleted: string[]; waiting: number }>(sql`
    with found as materialized (
      select j.name, j.id from pgboss.job j
       where j.name = ${queue} and j.state in ('created', 'retry') and ${and(marks.map(hasMark))}
       ${raw(`limit ${MOST + 1}`)} for update skip locked),
    few as (select f.name, f.id from found f ${raw(`limit ${MOST}`)}),
    gone as (
      delete from pgboss.job j using few s where j.name = s.name and j.id = s.id returning j.id),
    history as (delete from job_attempts a using gone g where a.job_id = g.id)
    select (select count(*) from found)::int as "found",
           (select coalesce(array_agg(g.id::text), '{}') from gone g) as "deleted",
           (select count(*) from pgboss.job j where j.name = ${queue} and j.state in ('created', 'retry'))::int
             as "waiting"`);
  const { found = 0, deleted = [], waiting = 0 } = result ?? {};
  recordDropped(
    ctx,
    deleted.map((id) => ({ queue, id })),
  );
  // The statement counts what was there before it.
  return { completed: found <= MOST, deleted_jobs: deleted.length, queue_size: waiting - deleted.length };
}

/** Whether there is such a queue. */
export async function queueExists(db: Queryable, name: string): Promise<boolean> {
  const found = await db.query(sql`select 1 from pgboss.queue q where q.name = ${name}`);
  return found.length > 0;
}

import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { tellWorkers, wakeQueues } from './queue-channel.js';

const JOB_ACTIONS = ['retry', 'cancel', 'resume', 'delete'] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

export interface NamedJob {
  queue: string;
  id: string;
}

/** Jobs that wait again are kept for as long as new ones. */
const kept = sql`greatest(j.keep_until, pgboss.job_now() + interval '14 days')`;

/**
 * Those of `asked` that may wait again: in the state given, and, where the queue takes one job at a time for a key, only
 * one for each key for which none waits or runs.
 */
const waitingAgain = (state: Fragment): Fragment => sql`
  select distinct on (case when coalesce(j.policy, 'standard') = 'standard' then j.id::text
                      else j.name || ' ' || coalesce(j.singleton_key, '') end) j.name, j.id
    from asked a join pgboss.job j on j.name = a.name and j.id = a.id
   where j.state = ${state} and (coalesce(j.policy, 'standard') = 'standard' or not exists (
     select 1 from pgboss.job o
      where o.name = j.name and o.state in ('created', 'retry', 'active')
        and coalesce(o.singleton_key, '') = coalesce(j.singleton_key, '')))`;

/** Those of `asked` in some states, locked, with whether they waited: what waited and is ended now is never done. */
const found = (states: Fragment): Fragment => sql`
  was as materialized (
    select j.name, j.id, j.state < 'active' as waited
      from asked a join pgboss.job j on j.name = a.name and j.id = a.id where ${states} for update of j)`;

// The library's own calls act on one queue, tell no ids, and fail as a whole where one job may not wait.
const STATEMENTS: Record<JobAction, Fragment> = {
  retry: sql`
    fit as (${waitingAgain(sql`'failed'`)}),
    done as (
      update pgboss.job j set state = 'retry', retry_limit = j.retry_limit + 1, completed_on = null,
             start_after = pgboss.job_now(), keep_until = ${kept}
        from fit f where j.name = f.name and j.id = f.id and j.state = 'failed' returning j.name, j.id, false as waited)`,
  cancel: sql`
    ${found(sql`j.state in ('created', 'retry', 'active')`)},
    done as (
      update pgboss.job j set state = 'cancelled', completed_on = pgboss.job_now()
        from was w where j.name = w.name and j.id = w.id returning j.name, j.id, w.waited)`,
  // Meanwhile another job may have been sent for its slot of time.
  resume: sql`
    fit as (${waitingAgain(sql`'cancelled'`)}),
    done as (
      update pgboss.job j set state = 'created', completed_on = null, singleton_on = null, keep_until = ${kept}
        from fit f where j.name = f.name and j.id = f.id and j.state = 'cancelled'
      returning j.name, j.id, false as waited)`,
  delete: sql`
    ${found(sql`j.state <> 'active'`)},
    done as (
      delete from pgboss.job j using was w where j.name = w.name and j.id = w.id returning j.name, j.id, w.waited),
    history as (delete from job_attempts t using done d where t.job_id = d.id)`,
};

/** Has whoever counts on jobs that waited know that they are not done any more. */
export function recordDropped(ctx: Context, jobs: readonly NamedJob[]): void {
  if (jobs.length > 0) ctx.record({ type: 'queue_jobs.dropped', jobs: jobs.map(({ queue, id }) => ({ queue, id })) });
}

/**
 * Does one thing to jobs, as far as their state allows: tries failed ones again at once, cancels what waits or runs,
 * resumes cancelled ones, deletes what does not run. In the caller's transaction.
 * @returns those that it was done to
 */
export async function actOnJobs(ctx: Context, action: JobAction, jobs: readonly NamedJob[]): Promise<NamedJob[]> {
  if (jobs.length === 0) return [];
  const done = await ctx.query<NamedJob & { waited: boolean }>(sql`
    with asked as materialized (
      select u.name, u.id from unnest(${jobs.map(({ queue }) => queue)}::text[], ${jobs.map(({ id }) => id)}::uuid[])
        as u (name, id)),
    ${STATEMENTS[action]}
    select d.name as "queue", d.id::text as "id", d.waited as "waited" from done d`);
  recordDropped(
    ctx,
    done.filter(({ waited }) => waited),
  );
  if (action === 'cancel') await tellWorkers(ctx);
  else if (action !== 'delete') await wakeQueues(ctx, [...new Set(done.map(({ queue }) => queue))]);
  return done;
}

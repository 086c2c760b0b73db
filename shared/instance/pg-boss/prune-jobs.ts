import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { sql } from '../../core/sql.js';

const BATCH = 10_000;
/** So long a worker that died is still shown. */
const SHOWN = sql`interval '1 hour'`;

/** Removes the attempts of jobs that the queue has removed, walking the table once by its key. Answers how many. */
async function pruneAttempts(ctx: Context): Promise<number> {
  let removed = 0;
  let last = { job_id: '00000000-0000-0000-0000-000000000000', attempt: 0 };
  await inSteps(ctx, async () => {
    const [step] = await ctx.query<{
      seen: number;
      removed: number;
      job_id: string | null;
      attempt: number | null;
    }>(sql`
      with step as materialized (
        select a.job_id, a.attempt, a.queue from job_attempts a
         where (a.job_id, a.attempt) > (${last.job_id}::uuid, ${last.attempt}::int)
         order by a.job_id, a.attempt limit ${BATCH}),
      gone as (
        delete from job_attempts a using step s
         where a.job_id = s.job_id and a.attempt = s.attempt
           and not exists (select 1 from pgboss.job j where j.name = s.queue and j.id = s.job_id)
        returning 1),
      newest as (select s.job_id, s.attempt from step s order by s.job_id desc, s.attempt desc limit 1)
      select (select count(*) from step)::int as "seen", (select count(*) from gone)::int as "removed",
             n.job_id::text as "job_id", n.attempt as "attempt"
        from (values (1)) one left join newest n on true`);
    removed += step?.removed ?? 0;
    if (step?.job_id) last = { job_id: step.job_id, attempt: step.attempt ?? 0 };
    return step?.seen === BATCH;
  });
  return removed;
}

/** Removes workers that died, or stopped without a word, and what is left of them; what they counted stays counted. */
async function pruneWorkers(ctx: Context): Promise<number> {
  const removed = await ctx.query(sql`
    delete from queue_workers w where coalesce(w.lost_at, w.last_seen_at) < now() - ${SHOWN} returning w.id`);
  await ctx.query(sql`
    delete from queue_batches b where not exists (select 1 from queue_workers w where w.id = b.worker_id)`);
  await ctx.query(sql`
    with gone as (
      delete from queue_counters c where c.worker_id <> 0
         and not exists (select 1 from queue_workers w where w.id = c.worker_id)
      returning c.queue, c.processed, c.failed)
    insert into queue_counters as c (queue, worker_id, processed, failed)
    select g.queue, 0, sum(g.processed), sum(g.failed) from gone g group by g.queue
    on conflict (queue, worker_id) do update
      set processed = c.processed + excluded.processed, failed = c.failed + excluded.failed`);
  return removed.length;
}

/** Removes what is known of jobs and workers that are gone. Repeated it removes nothing. */
export async function pruneJobs(ctx: Context): Promise<{ attempts: number; workers: number }> {
  const workers = await ctx.transaction(() => pruneWorkers(ctx));
  return { attempts: await pruneAttempts(ctx), workers };
}

import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { chosen, queueStates } from './list-queues.js';

/** Counts over all queues (jobs-admin.md sections 1 and 1.1). */
export interface JobStats {
  /** Attempts that ended since the instance was set up, and those of them that failed. */
  processed: number;
  failed: number;
  /** Jobs that wait and are due. */
  enqueued: number;
  /** Jobs that failed for good, with what waits in dead-letter queues. */
  dead: number;
}

/** The same, with what an overview shows besides. */
export interface JobOverview extends JobStats {
  deferred: number;
  active: number;
  /** Failed attempts of the last hour, as far back as there are samples. */
  failed_last_hour: number;
  oldest_waiting_seconds: number;
  queues: number;
  paused_queues: number;
}

/** One statement. */
export async function jobOverview(ctx: Context): Promise<JobOverview> {
  const overview = await ctx.queryOne<JobOverview>(sql`
    with states as materialized (${queueStates({})}),
    counted as (
      select coalesce(sum(c.processed), 0)::bigint as processed, coalesce(sum(c.failed), 0)::bigint as failed
        from queue_counters c)
    select c.processed as "processed", c.failed as "failed",
           coalesce(sum(s.ready), 0)::int as "enqueued", coalesce(sum(s.deferred), 0)::int as "deferred",
           coalesce(sum(s.active), 0)::int as "active",
           (coalesce(sum(s.failed), 0) + coalesce(sum(s.ready + s.deferred + s.active) filter (
             where exists (select 1 from pgboss.queue d where d.dead_letter = s.name)), 0))::int as "dead",
           coalesce(max(s.latency_seconds), 0)::int as "oldest_waiting_seconds", count(*)::int as "queues",
           (select count(*) from queue_controls p join pgboss.queue q on q.name = p.queue
             where p.paused and ${chosen({})})::int as "paused_queues",
           (select coalesce(sum(n.failed - o.failed_total), 0)
              from (select x.queue, sum(x.failed) as failed from queue_counters x group by x.queue) n
             cross join lateral (
               select a.failed_total from queue_samples a
                where a.queue = n.queue and a.at >= now() - interval '1 hour' order by a.at limit 1) o)::int
             as "failed_last_hour"
      from counted c left join states s on true group by c.processed, c.failed`);
  return overview as JobOverview;
}

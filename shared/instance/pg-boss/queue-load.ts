import type pg from 'pg';
import type { Queryable } from '../../core/database/database.js';
import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';

/** What a queue has waiting and due, and active. */
export interface QueueLoad {
  name: string;
  ready: number;
  latency_seconds: number;
  active: number;
}

/**
 * One look at the queue's index of waiting jobs for each queue. How many are active no index tells: that is as the
 * workers' maintenance counted it last. The library's own queues are nobody's business.
 */
export const readQueueLoads = (db: Queryable): Promise<QueueLoad[]> =>
  db.query<QueueLoad>(sql`
    select q.name, w.ready, w.latency_seconds, q.active_count as active
      from pgboss.queue q
     cross join lateral (
       select count(*)::int as ready,
              coalesce(extract(epoch from pgboss.job_now() - min(greatest(j.created_on, j.start_after))), 0)::float8
                as latency_seconds
         from pgboss.job j
        where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= pgboss.job_now()) w
     where q.name !~ '^__'
     order by q.name`);

/** Selects whether some worker has looked after the queues for so many seconds, as `seen`; null when none ever has. */
export const lookedAfter = (seconds: number): Sql => sql`
  select max(coalesce(q.monitor_claim_on, q.monitor_on)) > pgboss.job_now() - make_interval(secs => ${seconds}) as seen
    from pgboss.queue q`;

type Client = Pick<pg.Client, 'query'>;

/** How all queues together stand, in seconds. */
export interface QueueLag {
  ready: number;
  /** How long the first job has waited. */
  lag: number;
  /** Since some worker looked after the queues; null when none ever has. */
  seen: number | null;
}

/** Whether the queue's tables are made. */
export async function queueIsMade(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ made: boolean }>(
    "select to_regclass('pgboss.job') is not null and to_regclass('pgboss.queue') is not null as made",
  );
  return rows[0]?.made === true;
}

/** On a connection beside the service. Null where there are no tables yet. */
export async function readQueueLag(client: Client): Promise<QueueLag | null> {
  if (!(await queueIsMade(client))) return null;
  const { rows } = await client.query<QueueLag>(
    `select w.ready, w.lag,
            (select extract(epoch from pgboss.job_now() - max(coalesce(monitor_claim_on, monitor_on)))::float8
               from pgboss.queue) as seen
       from (select count(*)::int as ready,
                    coalesce(extract(epoch from pgboss.job_now() - min(greatest(created_on, start_after))), 0)::float8 as lag
               from pgboss.job
              where name in (select name from pgboss.queue) and state < 'active' and not blocked
                and start_after <= pgboss.job_now()) w`,
  );
  return rows[0] as QueueLag;
}

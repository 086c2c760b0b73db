import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import type { Queryable } from '../../core/database/database.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { QueueTable } from './tables.js';

/** How many jobs a queue has now. */
export interface QueueState {
  name: string;
  /** Waiting and due. */
  ready: number;
  /** Waiting for their time. */
  deferred: number;
  /** Waiting for other jobs. */
  blocked: number;
  active: number;
  failed: number;
  /** Whole seconds that the oldest job has waited since it was due; 0 when none waits. */
  latency_seconds: number;
}

type QueueOption =
  | 'policy'
  | 'dead_letter'
  | 'retry_limit'
  | 'retry_delay'
  | 'retry_backoff'
  | 'retry_delay_max'
  | 'expire_seconds'
  | 'retention_seconds'
  | 'deletion_seconds'
  | 'heartbeat_seconds';

export interface QueueRecord extends QueueState, Pick<QueueTable, QueueOption> {
  /** All jobs that are still stored; of those that are done the count is as of the last look of a worker. */
  total: number;
  paused: boolean;
  paused_by: string | null;
  paused_at: Date | null;
  pause_reason: string | null;
  completed_per_minute: number;
  failed_per_minute: number;
}

/** Queues of the library's own, which are shown only when asked for. */
const isPublic = (name: Fragment): Fragment => sql`left(${name}, 8) <> '__pgboss'`;

/** Whether a queue is the library's own. */
export const isInternal = (name: string): boolean => name.startsWith('__pgboss');

/** The queue's time, asked for once: as a plain call it would be made for each row. */
const now = sql`(select pgboss.job_now())`;

/** By what a queue is chosen: one, or all but the library's own. */
export interface QueueChoice {
  name?: string | undefined;
  internal?: boolean | undefined;
}

/** Condition on `q`. */
export function chosen({ name, internal = false }: QueueChoice): Fragment {
  if (name !== undefined) return sql`q.name = ${name}`;
  return internal ? sql`true` : isPublic(sql`q.name`);
}

/**
 * Counts by queue, as rows of (name, ready, deferred, blocked, active, failed, latency_seconds). Each job is counted
 * once, in an index that holds all that is asked: what waits in the library's of what can be fetched, active and failed
 * ones in ours by queue and state, blocked ones by what they wait for.
 */
export const queueStates = (choice: QueueChoice): Fragment => sql`
  select q.name, w.ready, w.waiting - w.ready as deferred, b.blocked, a.active, f.failed,
         coalesce(greatest(floor(extract(epoch from ${now} - w.oldest)), 0), 0)::int as latency_seconds
    from pgboss.queue q
   cross join lateral (
     select count(*)::int as waiting, (count(*) filter (where j.start_after <= ${now}))::int as ready,
            min(j.start_after) as oldest
       from pgboss.job j where j.name = q.name and j.state < 'active' and not j.blocked) w
   cross join lateral (
     select count(*)::int as blocked
       from (select distinct d.child_id as id from pgboss.job_dependency d where d.child_name = q.name) d
       join pgboss.job j on j.name = q.name and j.id = d.id and j.state < 'active' and j.blocked) b
   cross join lateral (
     select count(*)::int as active from pgboss.job j where j.name = q.name and j.state = 'active') a
   cross join lateral (
     select count(*)::int as failed from pgboss.job j where j.name = q.name and j.state = 'failed') f
   where ${chosen(choice)}`;

/** The queues as they stand now, by name. One statement. */
export const readQueueStates = (db: Queryable): Promise<(QueueState & { paused: boolean })[]> =>
  db.query(sql`
    select s.name as "name", s.ready as "ready", s.deferred as "deferred", s.blocked as "blocked",
           s.active as "active", s.failed as "failed", s.latency_seconds as "latency_seconds",
           coalesce(c.paused, false) as "paused"
      from (${queueStates({})}) s left join queue_controls c on c.queue = s.name order by s.name`);

/** Per minute, since the newest sample that is a minute old, and of the last five minutes. */
const throughput = sql`
  select n.queue, (n.processed - n.failed - o.completed_total) * 60 / extract(epoch from now() - o.at) as completed,
         (n.failed - o.failed_total) * 60 / extract(epoch from now() - o.at) as failed
    from (select c.queue, sum(c.processed) as processed, sum(c.failed) as failed
            from queue_counters c group by c.queue) n
   cross join lateral (
     select s.at, s.completed_total, s.failed_total from queue_samples s
      where s.queue = n.queue and s.at between now() - interval '5 minutes' and now() - interval '1 minute'
      order by s.at desc limit 1) o`;

/** Queues by name, with what is set for them and how they stand. */
export function readQueues(ctx: Context, choice: QueueChoice): Promise<QueueRecord[]> {
  return ctx.query<QueueRecord>(sql`
    select s.name as "name", s.ready as "ready", s.deferred as "deferred", s.blocked as "blocked",
           s.active as "active", s.failed as "failed", s.latency_seconds as "latency_seconds",
           greatest(q.total_count, s.ready + s.deferred + s.blocked + s.active + s.failed) as "total",
           q.policy as "policy", q.dead_letter as "dead_letter", q.retry_limit as "retry_limit",
           q.retry_delay as "retry_delay", q.retry_backoff as "retry_backoff",
           q.retry_delay_max as "retry_delay_max", q.expire_seconds as "expire_seconds",
           q.retention_seconds as "retention_seconds", q.deletion_seconds as "deletion_seconds",
           q.heartbeat_seconds as "heartbeat_seconds", coalesce(c.paused, false) as "paused",
           case when c.paused then c.changed_by end as "paused_by",
           case when c.paused then c.changed_at end as "paused_at",
           case when c.paused then c.reason end as "pause_reason",
           coalesce(round(t.completed, 1), 0)::float8 as "completed_per_minute",
           coalesce(round(t.failed, 1), 0)::float8 as "failed_per_minute"
      from (${queueStates(choice)}) s
      join pgboss.queue q on q.name = s.name
      left join queue_controls c on c.queue = s.name
      left join (${throughput}) t on t.queue = s.name
     order by s.name`);
}

/** @throws NotFound "404 Queue Not Found" */
export async function findQueue(ctx: Context, name: string): Promise<QueueRecord> {
  const [queue] = await readQueues(ctx, { name });
  if (!queue) throw new NotFound('Queue');
  return queue;
}

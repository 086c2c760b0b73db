import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { chosen, queueStates } from './list-queues.js';

/** Samples are kept for so long. */
export const KEPT_DAYS = 7;

/** Seconds between two points, and days that a series may cover at most. */
export const RESOLUTIONS = { minute: { seconds: 60, days: 1 }, hour: { seconds: 3600, days: KEPT_DAYS } } as const;

export type Resolution = keyof typeof RESOLUTIONS;

/** How a queue stood at the end of a stretch of time, and what was done in it. */
export interface SeriesPoint {
  /** Begin of the stretch. */
  at: Date;
  ready: number;
  active: number;
  failed: number;
  /** Attempts that ended well, and that failed, since the point before; 0 for the first. */
  completed_delta: number;
  failed_delta: number;
  /** The longest, in seconds. */
  latency: number;
}

/** Notes how each queue stands in this minute; once noted it stays. Answers how many rows it wrote. */
export async function sampleQueues(ctx: Context): Promise<number> {
  const rows = await ctx.query(sql`
    insert into queue_samples (queue, at, ready, active, failed, latency, completed_total, failed_total)
    select s.name, date_trunc('minute', ${ctx.clock.now()}::timestamptz), s.ready, s.active, s.failed,
           s.latency_seconds, coalesce(c.processed - c.failed, 0), coalesce(c.failed, 0)
      from (${queueStates({})}) s
      left join (select c.queue, sum(c.processed)::bigint as processed, sum(c.failed)::bigint as failed
                   from queue_counters c group by c.queue) c on c.queue = s.name
    on conflict (queue, at) do nothing returning 1`);
  return rows.length;
}

/** Removes samples that are too old to be shown. */
export const pruneSamples = (ctx: Context): Promise<unknown> =>
  ctx.query(sql`
    delete from queue_samples s
     where s.at < ${ctx.clock.now()}::timestamptz - make_interval(days => ${KEPT_DAYS})`);

interface Stretch {
  from: Date;
  to: Date;
  resolution: Resolution;
}

/** Points of the samples `s` of some queues `q`, as rows of (queue, and a `SeriesPoint`). */
const points = (queues: Fragment, { from, to, resolution }: Stretch): Fragment => sql`
  select x.queue, x.at, x.ready, x.active, x.failed, x.latency,
         greatest(x.completed_total - coalesce(lag(x.completed_total) over w, x.completed_total), 0)::int
           as completed_delta,
         greatest(x.failed_total - coalesce(lag(x.failed_total) over w, x.failed_total), 0)::int as failed_delta
    from (select distinct on (s.queue, 2) s.queue, date_trunc(${resolution}, s.at) as at, s.ready, s.active, s.failed,
                 max(s.latency) over (partition by s.queue, date_trunc(${resolution}, s.at)) as latency,
                 s.completed_total, s.failed_total
            from pgboss.queue q
            join queue_samples s on s.queue = q.name and s.at >= ${from} and s.at < ${to}
           where ${queues} order by s.queue, 2, s.at desc) x
  window w as (partition by x.queue order by x.at)`;

/** The series of a queue from `from` on and before `to`: a point for each minute or hour that has a sample. */
export const queueSeries = (ctx: Context, queue: string, stretch: Stretch): Promise<SeriesPoint[]> =>
  ctx.query<SeriesPoint>(sql`
    select p.at as "at", p.ready as "ready", p.active as "active", p.failed as "failed", p.latency as "latency",
           p.completed_delta as "completed_delta", p.failed_delta as "failed_delta"
      from (${points(chosen({ name: queue }), stretch)}) p order by p.at`);

/** The work of a queue, for a small chart. */
export interface QueueSeries {
  queue: string;
  /** Attempts of each minute that ended well, and that failed, oldest first. */
  completed: number[];
  failed: number[];
}

/** What queues did in the last hour, by the minute, by their names. Those in which nothing was done are left out. */
export function lastHourOfQueues(ctx: Context): Promise<QueueSeries[]> {
  const to = new Date(ctx.clock.now().getTime() + 1);
  const from = new Date(to.getTime() - 3_600_000);
  return ctx.query<QueueSeries>(sql`
    select p.queue as "queue", array_agg(p.completed_delta order by p.at) as "completed",
           array_agg(p.failed_delta order by p.at) as "failed"
      from (${points(chosen({}), { from, to, resolution: 'minute' })}) p
     group by p.queue having sum(p.completed_delta + p.failed_delta) > 0 order by p.queue`);
}

import { expressionBuilder } from 'kysely';
import type { Expression } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { chosen, countsByQueue, queueStates } from './list-queues.js';
import type { QueueChoice } from './list-queues.js';
import type { QueueDatabase } from './tables.js';

const DAY_MS = 86_400_000;
/** Retention of samples. */
export const RETENTION_DAYS = 7;

/** Seconds between two points, and days that a series may cover at most. */
export const RESOLUTIONS = { minute: { seconds: 60, days: 1 }, hour: { seconds: 3600, days: RETENTION_DAYS } } as const;

export type Resolution = keyof typeof RESOLUTIONS;

/** How a queue stood at the end of a time range, and what was done in it. */
export interface SeriesPoint {
  /** Begin of the range. */
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

/** Samples the state of each queue for the current minute, at most once. Returns the number of rows written. */
export async function sampleQueues(ctx: Context): Promise<number> {
  const rows = await ctx.em
    .getKysely<QueueDatabase>()
    .insertInto('queue_samples')
    .columns(['queue', 'at', 'ready', 'active', 'failed', 'latency', 'completed_total', 'failed_total'])
    .expression((eb) =>
      eb
        .selectFrom(queueStates({}).as('s'))
        .leftJoin(countsByQueue().as('c'), 'c.queue', 's.name')
        .select((of) => [
          's.name as queue',
          getStart('minute', of.cast<Date>(of.val(ctx.clock.now()), 'timestamptz')).as('at'),
          ...(['s.ready', 's.active', 's.failed', 's.latency_seconds as latency'] as const),
          of.fn.coalesce(of('c.processed', '-', of.ref('c.failed')), of.lit(0)).as('completed_total'),
          of.fn.coalesce('c.failed', of.lit(0)).as('failed_total'),
        ]),
    )
    .onConflict((conflict) => conflict.columns(['queue', 'at']).doNothing())
    .returning('queue')
    .execute();
  return rows.length;
}

/** Begin of the time range that an instant is in. */
const getStart = (resolution: Resolution, instant: Expression<Date>) =>
  expressionBuilder<QueueDatabase>().fn<Date>('date_trunc', [constant(resolution), instant]);

/** Deletes samples older than their retention. */
export const pruneSamples = (ctx: Context): Promise<unknown> =>
  ctx.em
    .getKysely<QueueDatabase>()
    .deleteFrom('queue_samples')
    .where('at', '<', new Date(ctx.clock.now().getTime() - RETENTION_DAYS * DAY_MS))
    .execute();

interface SeriesRange {
  from: Date;
  to: Date;
  resolution: Resolution;
}

/** Points of the samples of some queues, as rows of (queue, and a `SeriesPoint`). */
function points(choice: QueueChoice, { from, to, resolution }: SeriesRange) {
  const eb = expressionBuilder<QueueDatabase>();
  const samples = eb
    .selectFrom('pgboss.queue as q')
    .innerJoin('queue_samples as s', 's.queue', 'q.name')
    .where('s.at', '>=', from)
    .where('s.at', '<', to)
    .where(chosen(choice))
    .select((of) => [
      ...(['s.queue', 's.at as taken_at', 's.ready', 's.active', 's.failed', 's.latency'] as const),
      ...(['s.completed_total', 's.failed_total'] as const),
      getStart(resolution, of.ref('s.at')).as('at'),
    ]);
  const last = eb
    .selectFrom(samples.as('s'))
    .distinctOn(['s.queue', 's.at'])
    .select((of) => [
      ...(['s.queue', 's.at', 's.ready', 's.active', 's.failed', 's.completed_total', 's.failed_total'] as const),
      of.fn
        .max('s.latency')
        .over((over) => over.partitionBy(['s.queue', 's.at']))
        .as('latency'),
    ])
    .orderBy('s.queue')
    .orderBy('s.at')
    .orderBy('s.taken_at', 'desc');
  return eb.selectFrom(last.as('x')).select((of) => {
    const since = (total: 'x.completed_total' | 'x.failed_total') => {
      const before = of.fn
        .agg<number | null>('lag', [total])
        .over((over) => over.partitionBy('x.queue').orderBy('x.at'));
      const more = of(of.ref(total), '-', of.fn.coalesce(before, of.ref(total)));
      return of.cast<number>(of.fn('greatest', [more, of.lit(0)]), 'integer');
    };
    return [
      ...(['x.queue', 'x.at', 'x.ready', 'x.active', 'x.failed', 'x.latency'] as const),
      since('x.completed_total').as('completed_delta'),
      since('x.failed_total').as('failed_delta'),
    ];
  });
}

/** The series of a queue from `from` on and before `to`: a point for each minute or hour that has a sample. */
export const queueSeries = (ctx: Context, queue: string, range: SeriesRange): Promise<SeriesPoint[]> =>
  ctx.em
    .getKysely<QueueDatabase>()
    .selectFrom(points({ name: queue }, range).as('p'))
    .select(['p.at', 'p.ready', 'p.active', 'p.failed', 'p.latency', 'p.completed_delta', 'p.failed_delta'])
    .orderBy('p.at')
    .execute();

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
  return ctx.em
    .getKysely<QueueDatabase>()
    .selectFrom(points({}, { from, to, resolution: 'minute' }).as('p'))
    .select((eb) => [
      'p.queue',
      eb.fn.agg<number[]>('array_agg', ['p.completed_delta']).orderBy('p.at').as('completed'),
      eb.fn.agg<number[]>('array_agg', ['p.failed_delta']).orderBy('p.at').as('failed'),
    ])
    .groupBy('p.queue')
    .having((eb) => eb(eb.fn.sum(eb('p.completed_delta', '+', eb.ref('p.failed_delta'))), '>', eb.lit(0)))
    .orderBy('p.queue')
    .execute();
}

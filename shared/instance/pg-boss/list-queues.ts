import { expressionBuilder, sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import type { Queryable } from '../../core/database/database.js';
import { constant } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';
import { runQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { queueNow } from './tables.js';
import type { QueueDatabase, QueueTable } from './tables.js';

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
  /** All jobs that are still stored; of those that are done the count is as of the last poll of a worker. */
  total: number;
  paused: boolean;
  paused_by: string | null;
  paused_at: Date | null;
  pause_reason: string | null;
  completed_per_minute: number;
  failed_per_minute: number;
}

/** Whether a queue is the library's own. */
export const isInternal = (name: string): boolean => name.startsWith('__pgboss');

const eb = expressionBuilder<QueueDatabase>();

/** The queue's time as a subquery, so that it is evaluated once: a plain call would run for each row. */
const now = sql<Date>`(select ${queueNow})`;

/** Selects queues: one, or all except internal ones. */
export interface QueueChoice {
  name?: string | undefined;
  internal?: boolean | undefined;
}

const onQueues = expressionBuilder<Aliased<QueueDatabase, { q: 'pgboss.queue' }>, 'q'>();

/** Condition on `q`. The library's internal queues are excluded unless requested. */
export function chosen({ name, internal = false }: QueueChoice): Expression<SqlBool> {
  if (name !== undefined) return onQueues('q.name', '=', name);
  if (internal) return constant(true);
  return onQueues(onQueues.fn<string>('left', ['q.name', onQueues.lit(8)]), '<>', constant('__pgboss'));
}

const seconds = (span: Expression<unknown>) => sql<number>`extract(epoch from ${span})`;

const ago = (since: Expression<Date | null>) => sql<number>`${now} - ${since}`;

/** Jobs `j` of queue `q`. */
const jobsOfQueue = () =>
  onQueues.selectFrom('pgboss.job as j').where((of) => of('j.name', '=', onQueues.ref('q.name')));

const getCount = (state: 'active' | 'failed') =>
  jobsOfQueue()
    .where('j.state', '=', constant(state))
    .select((of) => of.cast<number>(of.fn.countAll(), 'integer').as('count'));

/** Counts of queue `q`: its queued jobs, and those that are due. */
const waiting = () =>
  jobsOfQueue()
    .where('j.state', '<', constant('active'))
    .where('j.blocked', '=', constant(false))
    .select((of) => [
      of.cast<number>(of.fn.countAll(), 'integer').as('waiting'),
      of.cast<number>(of.fn.countAll().filterWhere('j.start_after', '<=', now), 'integer').as('ready'),
      of.fn.min('j.start_after').as('oldest'),
    ]);

/** The jobs of queue `q` that wait for others. */
const blocked = () =>
  onQueues
    .selectFrom((of) =>
      of
        .selectFrom('pgboss.job_dependency as d')
        .select('d.child_id as id')
        .distinct()
        .where((on) => on('d.child_name', '=', onQueues.ref('q.name')))
        .as('d'),
    )
    .innerJoin('pgboss.job as j', 'j.id', 'd.id')
    .where((of) => of('j.name', '=', onQueues.ref('q.name')))
    .where('j.state', '<', constant('active'))
    .where('j.blocked', '=', constant(true))
    .select((of) => of.cast<number>(of.fn.countAll(), 'integer').as('count'));

/**
 * Counts by queue, as rows of (name, ready, deferred, blocked, active, failed, latency_seconds). Each job is counted
 * once, in an index that covers the query: queued ones in the library's index of fetchable jobs, active and failed ones
 * in our index by queue and state, blocked ones by the jobs that they wait for.
 */
export const queueStates = (choice: QueueChoice) =>
  eb
    .selectFrom('pgboss.queue as q')
    .crossJoinLateral(() => waiting().as('w'))
    .crossJoinLateral(() => blocked().as('b'))
    .crossJoinLateral(() => getCount('active').as('a'))
    .crossJoinLateral(() => getCount('failed').as('f'))
    .where(chosen(choice))
    .select((of) => {
      const latency = of.fn<number>('greatest', [of.fn('floor', [seconds(ago(of.ref('w.oldest')))]), of.lit(0)]);
      return [
        'q.name',
        'w.ready',
        of('w.waiting', '-', of.ref('w.ready')).as('deferred'),
        'b.count as blocked',
        'a.count as active',
        'f.count as failed',
        of.cast<number>(of.fn.coalesce(latency, of.lit(0)), 'integer').as('latency_seconds'),
      ];
    });

const STATE = ['s.name', 's.ready', 's.deferred', 's.blocked', 's.active', 's.failed', 's.latency_seconds'] as const;

/** The current state of the queues, by name. One statement. */
export const readQueueStates = (db: Queryable): Promise<(QueueState & { paused: boolean })[]> =>
  runQuery(
    db,
    queries<QueueDatabase>()
      .selectFrom(queueStates({}).as('s'))
      .leftJoin('queue_controls as c', 'c.queue', 's.name')
      .select(STATE)
      .select((of) => of.fn.coalesce('c.paused', of.lit(false)).as('paused'))
      .orderBy('s.name'),
  );

/** What was ever done, by queue: rows of (queue, processed, failed). */
export const countsByQueue = () =>
  eb
    .selectFrom('queue_counters as c')
    .select((of) => [
      'c.queue',
      bigintSum(of.fn.sum('c.processed')).as('processed'),
      bigintSum(of.fn.sum('c.failed')).as('failed'),
    ])
    .groupBy('c.queue');

const bigintSum = (sum: Expression<unknown>) => eb.cast<number>(sum, 'bigint');

/** Per minute, since the newest sample that is a minute old, and of the last five minutes. */
function throughput() {
  const minutes = (count: number) => sql<Date>`now() - ${constant(count)} * interval '1 minute'`;
  return eb
    .selectFrom(countsByQueue().as('n'))
    .crossJoinLateral((of) =>
      of
        .selectFrom('queue_samples as s')
        .select(['s.at', 's.completed_total', 's.failed_total'])
        .whereRef('s.queue', '=', 'n.queue')
        .where((on) => on.between('s.at', minutes(5), minutes(1)))
        .orderBy('s.at', 'desc')
        .limit(constant(1))
        .as('o'),
    )
    .select((of) => {
      const perMinute = (count: Expression<number>) =>
        sql<number>`(${count}) * 60 / ${seconds(sql`now() - ${of.ref('o.at')}`)}`;
      const done = of(of('n.processed', '-', of.ref('n.failed')), '-', of.ref('o.completed_total'));
      return [
        'n.queue',
        perMinute(done).as('completed'),
        perMinute(of('n.failed', '-', of.ref('o.failed_total'))).as('failed'),
      ];
    });
}

/** Queues by name, with their settings and current state. */
export function readQueues(ctx: Context, choice: QueueChoice): Promise<QueueRecord[]> {
  return ctx.em
    .getKysely<QueueDatabase>()
    .selectFrom(queueStates(choice).as('s'))
    .innerJoin('pgboss.queue as q', 'q.name', 's.name')
    .leftJoin('queue_controls as c', 'c.queue', 's.name')
    .leftJoin(throughput().as('t'), 't.queue', 's.name')
    .select(STATE)
    .select((of) => {
      const stored = ['s.ready', 's.deferred', 's.blocked', 's.active', 's.failed'] as const;
      const counted = stored
        .slice(1)
        .reduce<Expression<number>>((sum, one) => of(sum, '+', of.ref(one)), of.ref(stored[0]));
      return of.fn<number>('greatest', ['q.total_count', counted]).as('total');
    })
    .select([
      ...(['q.policy', 'q.dead_letter', 'q.retry_limit', 'q.retry_delay', 'q.retry_backoff'] as const),
      ...(['q.retry_delay_max', 'q.expire_seconds', 'q.retention_seconds'] as const),
      ...(['q.deletion_seconds', 'q.heartbeat_seconds'] as const),
    ])
    .select((of) => {
      const whilePaused = <T>(value: Expression<T>) => of.case().when(of.ref('c.paused')).then(value).end();
      const perMinute = (count: Expression<number | null>) =>
        of.cast<number>(of.fn.coalesce(of.fn<number>('round', [count, of.lit(1)]), of.lit(0)), 'double precision');
      return [
        of.fn.coalesce('c.paused', of.lit(false)).as('paused'),
        whilePaused(of.ref('c.changed_by')).as('paused_by'),
        whilePaused(of.ref('c.changed_at')).as('paused_at'),
        whilePaused(of.ref('c.reason')).as('pause_reason'),
        perMinute(of.ref('t.completed')).as('completed_per_minute'),
        perMinute(of.ref('t.failed')).as('failed_per_minute'),
      ];
    })
    .orderBy('s.name')
    .execute();
}

/** @throws NotFound "404 Queue Not Found" */
export async function findQueue(ctx: Context, name: string): Promise<QueueRecord> {
  const [queue] = await readQueues(ctx, { name });
  if (!queue) throw new NotFound('Queue');
  return queue;
}

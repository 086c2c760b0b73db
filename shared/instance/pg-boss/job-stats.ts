import { expressionBuilder, sql } from 'kysely';
import type { Expression } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { QueueDatabase } from './tables.js';
import { chosen, queueStates } from './list-queues.js';

/** Counts over all queues (jobs-admin.md sections 1 and 1.1). */
export interface JobStats {
  /** Attempts finished since the instance was set up, and the failed ones among them. */
  processed: number;
  failed: number;
  /** Jobs that wait and are due. */
  enqueued: number;
  /** Jobs that failed for good, with what waits in dead-letter queues. */
  dead: number;
}

/** The same, with additional fields of an overview. */
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
  return ctx.em
    .getKysely<QueueDatabase>()
    .with(
      (cte) => cte('states').materialized(),
      () => queueStates({}),
    )
    .with('counted', (db) =>
      db
        .selectFrom('queue_counters as c')
        .select((eb) => [
          eb.cast<number>(eb.fn.coalesce(eb.fn.sum('c.processed'), eb.lit(0)), 'bigint').as('processed'),
          eb.cast<number>(eb.fn.coalesce(eb.fn.sum('c.failed'), eb.lit(0)), 'bigint').as('failed'),
        ]),
    )
    .selectFrom('counted as c')
    .leftJoin('states as s', (join) => join.onTrue())
    .select((eb) => {
      const count = (value: Expression<unknown>) => eb.cast<number>(value, 'integer');
      const orNone = (value: Expression<number | string | bigint | null>) => eb.fn.coalesce(value, eb.lit(0));
      const stored = eb(eb('s.ready', '+', eb.ref('s.deferred')), '+', eb.ref('s.active'));
      const isDeadLetter = eb.exists(
        eb.selectFrom('pgboss.queue as d').select(eb.lit(1).as('one')).whereRef('d.dead_letter', '=', 's.name'),
      );
      const inDeadLetters = eb.fn.sum(stored).filterWhere(isDeadLetter);
      const paused = eb
        .selectFrom('queue_controls as p')
        .innerJoin('pgboss.queue as q', 'q.name', 'p.queue')
        .select((of) => of.fn.countAll().as('count'))
        .where('p.paused', '=', constant(true))
        .where(chosen({}));
      return [
        'c.processed',
        'c.failed',
        count(orNone(eb.fn.sum('s.ready'))).as('enqueued'),
        count(orNone(eb.fn.sum('s.deferred'))).as('deferred'),
        count(orNone(eb.fn.sum('s.active'))).as('active'),
        count(sql`${orNone(eb.fn.sum('s.failed'))} + ${orNone(inDeadLetters)}`).as('dead'),
        count(orNone(eb.fn.max('s.latency_seconds'))).as('oldest_waiting_seconds'),
        count(eb.fn.countAll()).as('queues'),
        count(paused).as('paused_queues'),
        count(failedLastHour()).as('failed_last_hour'),
      ];
    })
    .groupBy(['c.processed', 'c.failed'])
    .executeTakeFirstOrThrow();
}

/** Attempts that failed since the first sample of the last hour. */
function failedLastHour() {
  const eb = expressionBuilder<QueueDatabase>();
  const failed = eb
    .selectFrom('queue_counters as x')
    .select((of) => ['x.queue', of.fn.sum<number>('x.failed').as('failed')])
    .groupBy('x.queue');
  return eb
    .selectFrom(failed.as('n'))
    .crossJoinLateral((of) =>
      of
        .selectFrom('queue_samples as a')
        .select('a.failed_total')
        .whereRef('a.queue', '=', 'n.queue')
        .where('a.at', '>=', sql<Date>`now() - interval '1 hour'`)
        .orderBy('a.at')
        .limit(constant(1))
        .as('o'),
    )
    .select((of) => of.fn.coalesce(of.fn.sum(of('n.failed', '-', of.ref('o.failed_total'))), of.lit(0)).as('count'));
}

import { expressionBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Queryable } from '../../core/database/database.js';
import { constant } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';
import { runQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import type { Statement } from '../../core/database/driver/statement.js';
import { queueNow } from './tables.js';
import type { QueueDatabase } from './tables.js';

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
  runQuery(
    db,
    queries<QueueDatabase>()
      .selectFrom('pgboss.queue as q')
      .crossJoinLateral((eb) =>
        eb
          .selectFrom('pgboss.job as j')
          .select((of) => [of.cast<number>(of.fn.countAll(), 'integer').as('ready'), WAITED.as('latency_seconds')])
          .where(isDue)
          .whereRef('j.name', '=', 'q.name')
          .as('w'),
      )
      .select(['q.name', 'w.ready', 'w.latency_seconds', 'q.active_count as active'])
      .where('q.name', '!~', constant('^__'))
      .orderBy('q.name'),
  );

const onJobs = expressionBuilder<Aliased<QueueDatabase, { j: 'pgboss.job' }>, 'j'>();

/** That job `j` waits and is due. */
const isDue = onJobs.and([
  onJobs('j.state', '<', constant('active')),
  onJobs('j.blocked', '=', constant(false)),
  onJobs('j.start_after', '<=', queueNow),
]);

/** Seconds since the first of jobs `j` was due. */
const WAITED = sql<number>`coalesce(extract(epoch from ${queueNow} - min(greatest(j.created_on, j.start_after))), 0)::float8`;

/** Of all queues, when some worker looked after them last. */
const LAST_MONITORED = sql<Date | null>`max(coalesce(q.monitor_claim_on, q.monitor_on))`;

/** Selects whether some worker has looked after the queues for so many seconds, as `monitored`; null when none ever has. */
export const lookedAfter = (seconds: number): Statement => {
  const monitored = sql<boolean | null>`${LAST_MONITORED} > ${queueNow} - make_interval(secs => ${seconds})`;
  const { sql: text, parameters: values } = queries<QueueDatabase>()
    .selectFrom('pgboss.queue as q')
    .select(monitored.as('monitored'))
    .compile();
  return { text, values };
};

type Client = Pick<pg.Client, 'query'>;

/** How all queues together stand, in seconds. */
export interface QueueLag {
  ready: number;
  /** How long the first job has waited. */
  lag: number;
  /** Since some worker looked after the queues; null when none ever has. */
  monitor_age: number | null;
}

/** Whether the queue's tables are made. */
export async function queueSchemaExists(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    // Plain SQL: whether tables are there, on the connection that migrates.
    "select to_regclass('pgboss.job') is not null and to_regclass('pgboss.queue') is not null as found",
  );
  return rows[0]?.found === true;
}

/** On a connection beside the service. Null where there are no tables yet. */
export async function readQueueLag(client: Client): Promise<QueueLag | null> {
  if (!(await queueSchemaExists(client))) return null;
  const monitorAge = sql<number | null>`extract(epoch from ${queueNow} - ${LAST_MONITORED})::float8`;
  const lag = queries<QueueDatabase>()
    .selectFrom((eb) =>
      eb
        .selectFrom('pgboss.job as j')
        .select((of) => [of.cast<number>(of.fn.countAll(), 'integer').as('ready'), WAITED.as('lag')])
        .where(isDue)
        .where('j.name', 'in', (of) => of.selectFrom('pgboss.queue as q').select('q.name'))
        .as('w'),
    )
    .select((eb) => [
      'w.ready',
      'w.lag',
      eb.selectFrom('pgboss.queue as q').select(monitorAge.as('monitor_age')).as('monitor_age'),
    ])
    .compile();
  const { rows } = await client.query<QueueLag>(lag.sql, [...lag.parameters]);
  return rows[0] as QueueLag;
}

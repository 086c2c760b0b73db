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

/** Number of jobs of a queue that are queued and due, and active. */
export interface QueueLoad {
  name: string;
  ready: number;
  latency_seconds: number;
  active: number;
}

/**
 * One lookup per queue in the index of queued jobs. Active jobs have no such index: their number is the last count of
 * the workers' maintenance. The library's internal queues are excluded.
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

/** When a worker last maintained any of the queues. */
const LAST_MONITORED = sql<Date | null>`max(coalesce(q.monitor_claim_on, q.monitor_on))`;

/** Selects whether a worker has maintained the queues within so many seconds, as `monitored`; null if none ever has. */
export const lookedAfter = (seconds: number): Statement => {
  const monitored = sql<boolean | null>`${LAST_MONITORED} > ${queueNow} - make_interval(secs => ${seconds})`;
  const { sql: text, parameters: values } = queries<QueueDatabase>()
    .selectFrom('pgboss.queue as q')
    .select(monitored.as('monitored'))
    .compile();
  return { text, values };
};

type Client = Pick<pg.Client, 'query'>;

/** The state of all queues together; times in seconds. */
export interface QueueLag {
  ready: number;
  /** How long the first job has waited. */
  lag: number;
  /** Time since a worker last maintained the queues; null if none ever has. */
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

/** Reads the lag on a connection independent of the service. Null if the tables do not exist yet. */
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

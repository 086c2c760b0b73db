import { PgBoss } from 'pg-boss';
import type { ConstructorOptions, Db } from 'pg-boss';
import { asConnectionError } from '../../core/database/connection-errors.js';
import type { Database } from '../../core/database/database.js';
import type { DatabaseWork } from '../../core/database/database-work.js';
import { databaseWork, sessionLimits } from '../../core/database/database-work.js';
import { KEEP_ALIVE, WatchedClient } from '../../core/database/watched-client.js';
import { RECURRING_KEY } from '../../core/context/jobs.js';
import type { JobKind } from '../../core/context/jobs.js';
import { ITSELF } from '../../core/database/pool-limit.js';
import { scheduleRecurring } from './recurring-schedules.js';
import { QUEUE_SCHEMA } from './tables.js';

/** A host that swallows packets is not waited for longer. */
const CONNECT_MS = 10_000;

const DAY_SECONDS = 86_400;
/** Longer than the minute between recurring jobs: otherwise the process would reconnect for each of them. */
const IDLE_CONNECTION_MS = 120_000;
/** Interval between polls for timed-out jobs and counts for metrics. */
const SUPERVISE_SECONDS = 20;
/** Between two questions whether the connection that hears still does; one that breaks is noticed at once. */
const HEARS_MS = 60_000;
/** Interval between polls for due recurring jobs. */
const PASS_SECONDS = 20;
const HOUR_SECONDS = 3_600;

/** A queue client that only sends: it uses the database's own pool and runs nothing in the background. */
export async function openSender(db: Database, onError: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    schema: QUEUE_SCHEMA,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    // Queue settings do not change after startup; refreshing them each minute would be needless background work.
    queueCacheIntervalSeconds: DAY_SECONDS,
    db: {
      executeSql: (text, values) => db.withSlot(ITSELF, () => db.pool.query(text, values as unknown[] | undefined)),
    },
  });
  boss.on('error', (error) => onError(asConnectionError(error) as Error));
  await boss.start();
  return boss;
}

/**
 * A queue client of a worker: its own connections, woken by NOTIFY, tending the queues now and then.
 * @param limits replaces what its statements and connections may take (tests that lose packets); with `recurring` it
 *   sends the jobs of schedules: all processes try, and each job is sent once
 */
export async function openWorkerQueue(
  url: string,
  onError: (error: Error) => void,
  limits: { work?: DatabaseWork; connectMs?: number; answerMarginMs?: number; recurring?: boolean } = {},
): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'capstan-queue',
    ...sessionLimits(limits.work ?? databaseWork.queue),
    ...KEEP_ALIVE,
    connectionTimeoutMillis: limits.connectMs ?? CONNECT_MS,
    answerMarginMs: limits.answerMarginMs,
    Client: WatchedClient,
    schema: QUEUE_SCHEMA,
    migrate: false,
    createSchema: false,
    schedule: limits.recurring ?? false,
    cronMonitorIntervalSeconds: PASS_SECONDS,
    // Only in case the process does not wake it.
    cronWorkerIntervalSeconds: 45,
    max: 4,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    useListenNotify: true,
    notifyHeartbeatIntervalMs: HEARS_MS,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    queueCacheIntervalSeconds: DAY_SECONDS,
    // No job of ours waits for others.
    flowIntervalSeconds: HOUR_SECONDS,
  } as ConstructorOptions);
  boss.on('error', (error) => onError(asConnectionError(error) as Error));
  await boss.start();
  return boss;
}

/** Makes or updates the queue's schema and one queue for each kind of job. Safe to repeat. */
export async function migrateQueue(url: string, jobKinds: readonly JobKind<object>[]): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'capstan-migrate-queue',
    ...sessionLimits(databaseWork.migration),
    schema: QUEUE_SCHEMA,
    supervise: false,
    schedule: false,
    max: 2,
  });
  const errors: Error[] = [];
  boss.on('error', (error) => errors.push(error));
  await boss.start();
  try {
    for (const kind of jobKinds) await createOrUpdate(boss, kind);
    await addIndexes(boss.getDb());
    await nameRecurring(boss.getDb(), jobKinds);
    await scheduleRecurring(boss, jobKinds);
  } finally {
    await boss.stop({ graceful: false, close: true });
  }
  if (errors[0]) throw errors[0];
}

/**
 * Indexes of ours on the library's table of jobs, for those who look for jobs. Each costs writes: by queue, state and
 * time serves every list, as one range for each queue and state; those by user and project hold only jobs that name one.
 */
export const JOB_INDEXES = [
  `create index if not exists capstan_job_list on ${QUEUE_SCHEMA}.job (name, state, created_on, id)`,
  `create index if not exists capstan_job_user on ${QUEUE_SCHEMA}.job
     ((data -> '_ctx' ->> 'user'), created_on, id) where data -> '_ctx' ->> 'user' is not null`,
  `create index if not exists capstan_job_project on ${QUEUE_SCHEMA}.job
     ((data -> '_ctx' ->> 'project'), created_on, id) where data -> '_ctx' ->> 'project' is not null`,
];

async function addIndexes(db: Db) {
  for (const statement of JOB_INDEXES) await db.executeSql(statement);
}

/** Records which kinds recur and how often, so that processes without workers can report them. */
async function nameRecurring(db: Db, jobKinds: readonly JobKind<object>[]) {
  const recurring = jobKinds.flatMap(({ name, everySeconds, category }) =>
    everySeconds === undefined ? [] : [{ name, key: RECURRING_KEY, every_seconds: everySeconds, category }],
  );
  await db.executeSql(
    `with known as (
       select * from jsonb_to_recordset($1::jsonb) as x (name text, key text, every_seconds int, category text)),
     gone as (delete from queue_recurring_jobs r where not exists (
       select 1 from known k where k.name = r.name and k.key = r.key))
     insert into queue_recurring_jobs (name, key, every_seconds, feature_category)
     select k.name, k.key, k.every_seconds, k.category from known k
     on conflict (name, key) do update
       set every_seconds = excluded.every_seconds, feature_category = excluded.feature_category`,
    [JSON.stringify(recurring)],
  );
}

async function createOrUpdate(boss: PgBoss, kind: JobKind<object>) {
  const existing = await boss.getQueue(kind.name);
  if (!existing) {
    await boss.createQueue(kind.name, kind.queue);
    return;
  }
  // The library changes no policy: each job keeps the one that it was sent with.
  const { policy, ...changeable } = kind.queue;
  await boss.updateQueue(kind.name, changeable);
  if (policy !== existing.policy)
    await boss.getDb().executeSql(`update ${QUEUE_SCHEMA}.queue set policy = $1 where name = $2`, [policy, kind.name]);
}

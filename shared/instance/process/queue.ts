import { PgBoss } from 'pg-boss';
import type { Database } from '../../core/database/database.js';
import { databaseWork, sessionLimits } from '../../core/database/database-work.js';
import type { JobKind } from '../../core/jobs.js';
import { ITSELF } from '../../core/places.js';

/** The schema that holds the queue's tables. */
export const QUEUE_SCHEMA = 'pgboss';

const DAY_SECONDS = 86_400;

/** A queue client that only sends: it uses the database's own pool and runs nothing in the background. */
export async function openSender(db: Database, onError: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    schema: QUEUE_SCHEMA,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    // What it knows of the queues is as it was at the start; asking anew each minute would be work in the background.
    queueCacheIntervalSeconds: DAY_SECONDS,
    db: {
      executeSql: (text, values) => db.holdPlace(ITSELF, () => db.pool.query(text, values as unknown[] | undefined)),
    },
  });
  boss.on('error', onError);
  await boss.start();
  return boss;
}

/** A queue client of a worker: its own connections, woken by NOTIFY, tending the queues now and then. */
export async function openWorkerQueue(url: string, onError: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'capstan-queue',
    ...sessionLimits(databaseWork.queue),
    schema: QUEUE_SCHEMA,
    migrate: false,
    createSchema: false,
    schedule: false,
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  });
  boss.on('error', onError);
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
  } finally {
    await boss.stop({ graceful: false, close: true });
  }
  if (errors[0]) throw errors[0];
}

async function createOrUpdate(boss: PgBoss, kind: JobKind<object>) {
  if (!(await boss.getQueue(kind.name))) {
    await boss.createQueue(kind.name, kind.queue);
    return;
  }
  // A queue's policy is fixed when it is made.
  const { policy: _, ...changeable } = kind.queue;
  await boss.updateQueue(kind.name, changeable);
}

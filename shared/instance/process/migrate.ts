import pg from 'pg';
import { MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { migrations } from '../../../migrations/index.js';
import { BadSettings } from '../../core/values/config.js';
import { getJobKinds } from '../../core/domain.js';
import type { Domain } from '../../core/domain.js';
import type { JobKind } from '../../core/context/jobs.js';
import { databaseWork, sessionLimits } from '../../core/database/database-work.js';
import { pendingMigrations, readSchema, recordRelease, requireCompatible } from './schema-release.js';
import { JOB_INDEXES, migrateQueue } from '../pg-boss/queue-client.js';
import { queueSchemaExists } from '../pg-boss/queue-load.js';

/** Any process that migrates holds this lock, so many may start at once. */
const MIGRATION_LOCK = 7_226_501;
const OLDEST_POSTGRES = 15;
/** Reports a host that drops packets while the operator is still watching. */
const CONNECT_MS = 10_000;

const limits = sessionLimits(databaseWork.migration);

const connectionTo = (url: string) =>
  new pg.Client({
    connectionString: url,
    application_name: 'capstan-migrate',
    connectionTimeoutMillis: CONNECT_MS,
    ...limits,
  });

/** @throws BadSettings naming the version when PostgreSQL is older than 15 */
async function requireVersion(client: pg.Client) {
  // Plain SQL: on the connection that migrates, before any entity is known.
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
  const version = rows[0]?.version ?? '';
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES)
    throw new BadSettings([
      `DATABASE_URL must point at PostgreSQL ${OLDEST_POSTGRES} or newer; the server is PostgreSQL ${version}.`,
    ]);
}

/**
 * Makes sure that a command finds the schema of this code.
 * @throws BadSettings where the database is of an earlier version, or of a later one that this code is too old for
 */
export async function requireSchema(url: string): Promise<void> {
  const client = connectionTo(url);
  await client.connect();
  try {
    const schema = await readSchema(client);
    requireCompatible(schema);
    if (pendingMigrations(schema).length > 0)
      throw new BadSettings([
        'The database is of an earlier version than this code: start the service once, then try again.',
      ]);
  } finally {
    await client.end();
  }
}

async function queueIsCurrent(client: pg.Client, jobKinds: readonly JobKind<object>[]): Promise<boolean> {
  if (!(await queueSchemaExists(client))) return false;
  const { rows: stored } = await client.query<{ fingerprint: string | null }>(
    // Plain SQL: on the connection that migrates, before any entity is known.
    'select queue_fingerprint as fingerprint from instance_queue',
  );
  return stored[0]?.fingerprint === queueFingerprint(jobKinds);
}

/** Changes whenever a queue's settings, our indexes or the queue library's version do. */
function queueFingerprint(jobKinds: readonly JobKind<object>[]): string {
  return JSON.stringify({ library: '12.35.0', kinds: jobKinds, indexes: JOB_INDEXES });
}

async function applyMigrations(url: string) {
  const orm = await MikroORM.init({
    clientUrl: url,
    driverOptions: { ...limits, application_name: 'capstan-migrate-schema' },
    entities: [],
    extensions: [Migrator],
    discovery: { warnWhenNoEntities: false },
    migrations: { migrationsList: migrations, snapshot: false, silent: true },
  });
  try {
    await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
}

/**
 * Migrates schema and queues to the current version, under a lock. An up-to-date database costs a few small reads.
 * @throws BadSettings if the server is too old, or the schema belongs to a release that this code is too old for
 */
export async function migrate(domains: readonly Domain[], url: string): Promise<void> {
  const jobKinds = getJobKinds(domains);
  const client = connectionTo(url);
  await client.connect();
  try {
    await requireVersion(client);
    // Plain SQL: on the connection that migrates, before any entity is known.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const schema = await readSchema(client);
    requireCompatible(schema);
    if (pendingMigrations(schema).length > 0) await applyMigrations(url);
    await recordRelease(client, schema);
    if (!(await queueIsCurrent(client, jobKinds))) {
      await migrateQueue(url, jobKinds);
      await client.query(
        // Plain SQL: on the connection that migrates, before any entity is known.
        `insert into instance_queue (queue_fingerprint) values ($1)
         on conflict (only_one) do update set queue_fingerprint = excluded.queue_fingerprint`,
        [queueFingerprint(jobKinds)],
      );
    }
  } finally {
    await client.end();
  }
}

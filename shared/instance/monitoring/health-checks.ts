import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Services } from '../../core/context/context.js';
import type { Statement } from '../../core/database/driver/statement.js';
import { prepareStatement } from '../../core/database/prepared.js';
import { lookedAfter } from '../pg-boss/queue-load.js';
import { failed, OK } from './health-check.js';
import type { CheckEntry, HealthCheck } from './health-check.js';

/** For each dependency, in milliseconds. */
const TIMEOUT_MS = 1000;
/** The queue's maintenance marks each queue every twenty seconds. */
const SUPERVISOR_SECONDS = 120;

/** Queries the database with a timeout of one second; null if it does not respond. */
async function ask<T>({ db, log }: Services, statement: Statement): Promise<T[] | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const late = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const rows = db.queryAll([statement], { caller: null, signal }).then(
    ([answer]) => answer as T[],
    (error: unknown) => {
      log.debug({ err: error }, 'a health check got no answer');
      return null;
    },
  );
  // Do not wait longer for a host that drops packets.
  return Promise.race([rows, late]);
}

const databaseCheck: HealthCheck = {
  name: 'db_check',
  async run({ db }) {
    const problem = await db.findProblem();
    return [problem === null ? OK : failed(problem)];
  },
};

/** The queue tables respond, and a worker has maintained them recently. */
const queuesCheck: HealthCheck = {
  name: 'queues_check',
  async run(services) {
    const rows = await ask<{ monitored: boolean | null }>(services, lookedAfter(SUPERVISOR_SECONDS));
    if (!rows) return [failed('The tables of the queue did not answer.')];
    return [
      rows[0]?.monitored ? OK : failed(`No worker has looked after the queue for ${SUPERVISOR_SECONDS} seconds.`),
    ];
  },
};

/** The table that MikroORM notes migrations in. */
interface Migrations {
  mikro_orm_migrations: { name: string };
}

const appliedMigrations = prepareStatement<Migrations, object>((db) =>
  db.selectFrom('mikro_orm_migrations as m').select('m.name'),
);

/** Loaded on first use: normal requests need no migrations. */
const loadMigrations = () => import('../../../migrations/index.js');

const migrationsCheck: HealthCheck = {
  name: 'migrations_check',
  prepare: loadMigrations,
  async run(services) {
    const { migrations } = await loadMigrations();
    const rows = await ask<{ name: string }>(services, appliedMigrations({}));
    if (!rows) return [failed('The list of migrations did not answer.')];
    const applied = new Set(rows.map(({ name }) => name));
    const pending = migrations.filter(({ name }) => !applied.has(name)).length;
    return [pending === 0 ? OK : failed(`${pending} migrations are pending.`)];
  },
};

/** Folders of `DATA_DIR` that store files, created by the launcher: a new file store must be added here. */
const STORES = ['repositories', 'objects', 'incoming'];

async function checkStore(folder: string, store: string): Promise<CheckEntry> {
  const labels = { store };
  const file = path.join(folder, store, `.health-${randomUUID()}`);
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, 'ok', { mode: 0o600 });
    await rm(file);
    return { ...OK, labels };
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    return { ...failed(`A file could not be written and removed (${code}).`), labels };
  }
}

const storageCheck: HealthCheck = {
  name: 'storage_check',
  run: ({ config }) => Promise.all(STORES.map((store) => checkStore(config.dataDir, store))),
};

/** Every dependency of an instance. */
export const dependencyChecks: readonly HealthCheck[] = [databaseCheck, queuesCheck, migrationsCheck, storageCheck];

/**
 * Checks of `/health_check/<part>`; the empty part is all of them. There is no cache other than the database and
 * process memory, so there is none that could fail.
 */
export const healthParts: ReadonlyMap<string, readonly HealthCheck[]> = new Map([
  ['', dependencyChecks],
  ['database', [databaseCheck]],
  ['migrations', [databaseCheck, migrationsCheck]],
  ['cache', []],
]);

import type pg from 'pg';
import type { Config } from '../../core/values/config.js';
import { readQueueLag } from '../pg-boss/queue-load.js';
import { incompatibility, pendingMigrations, readSchema } from '../process/schema-release.js';
import { broken, doubtful, fine } from './finding.js';
import type { Finding } from './finding.js';

const OLDEST_POSTGRES = 15;
/**
 * Maximum connections of an API process and a worker, including those for rate limits, notifications and queue
 * maintenance.
 */
const API_CONNECTIONS = 14;
const WORKER_CONNECTIONS = 20;
const MOST_OFFSET_SECONDS = 2;
const LAG_SECONDS = 60;
const SUPERVISOR_SECONDS = 120;
/** Number of dead rows that needs no attention. */
const FEW_DEAD = 10_000;

type Client = Pick<pg.Client, 'query'>;

export async function findVersion(client: Client): Promise<Finding[]> {
  // Plain SQL: the server about itself, before the service runs.
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
  const version = rows[0]?.version ?? '';
  if (Number.parseInt(version, 10) >= OLDEST_POSTGRES) return [fine('database', `PostgreSQL ${version}`)];
  return [broken('database', `PostgreSQL ${version}`, `Upgrade it to PostgreSQL ${OLDEST_POSTGRES} or newer.`)];
}

/** Settings without which data may be lost after a crash, or tables grow for ever, and what each is to be. */
const NEEDED: Record<string, string> = {
  fsync: 'on',
  full_page_writes: 'on',
  autovacuum: 'on',
  server_encoding: 'UTF8',
};

export async function findServerSettings(client: Client, { workers }: Config): Promise<Finding[]> {
  const names = [...Object.keys(NEEDED), 'max_connections', 'superuser_reserved_connections'];
  const { rows } = await client.query<{ name: string; setting: string }>(
    // Plain SQL: the server about itself, before the service runs.
    'select name, setting from pg_settings where name = any($1)',
    [names],
  );
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  const wrong = Object.entries(NEEDED)
    .filter(([name, value]) => settings.get(name) !== value)
    .map(([name, value]) => broken('database settings', `${name} is ${settings.get(name)}`, `Set ${name} = ${value}.`));
  const room = Number(settings.get('max_connections')) - Number(settings.get('superuser_reserved_connections'));
  const needed = API_CONNECTIONS + workers * WORKER_CONNECTIONS;
  if (room < needed)
    wrong.push(
      broken(
        'database settings',
        `${room} connections are allowed, one API and ${workers} workers may want ${needed}`,
        'Raise max_connections.',
      ),
    );
  return wrong.length > 0 ? wrong : [fine('database settings', `as they should be, ${room} connections`)];
}

export async function findMigrations(client: Client): Promise<Finding[]> {
  const schema = await readSchema(client);
  const pending = pendingMigrations(schema).length;
  const problem = incompatibility(schema);
  if (problem !== null) return [broken('migrations', 'the database is of a later version than this code', problem)];
  if (pending > 0)
    return [
      broken('migrations', `${pending} are pending`, 'Start the service once: it brings the database up to date.'),
    ];
  return [fine('migrations', `all ${schema.applied.size} are applied`)];
}

export async function findBloat(client: Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; dead: number; share: number; vacuumed: string | null }>(
    // Plain SQL: the server about itself, before the service runs.
    `select schemaname || '.' || relname as name, n_dead_tup::float8 as dead,
            round(100.0 * n_dead_tup / (n_dead_tup + n_live_tup))::float8 as share,
            coalesce(greatest(last_vacuum, last_autovacuum)::date::text, 'never') as vacuumed
       from pg_stat_user_tables
      where n_dead_tup > $1 and n_dead_tup > 0.3 * n_live_tup
      order by n_dead_tup desc limit 3`,
    [FEW_DEAD],
  );
  if (rows.length === 0) return [fine('database bloat', 'no table has many dead rows')];
  return rows.map(({ name, dead, share, vacuumed }) =>
    doubtful(
      'database bloat',
      `${name} has ${dead} dead rows (${share} %), last vacuumed: ${vacuumed}`,
      `Look for a transaction that stays open, then run: vacuum (analyze) ${name}`,
    ),
  );
}

export async function findQueueLag(client: Client): Promise<Finding[]> {
  const found = await readQueueLag(client);
  if (found === null) return [broken('queue', 'its tables are missing', 'Start the service once: it makes them.')];
  const { ready, lag, monitor_age: monitorAge } = found;
  const remedy = 'Start workers (WORKERS, npm run start:workers), or more of them.';
  const message = `${ready} jobs wait, the first for ${Math.round(lag)} s`;
  if (monitorAge === null || monitorAge > SUPERVISOR_SECONDS) {
    const since = monitorAge === null ? 'ever' : `for ${Math.round(monitorAge)} s`;
    const unseen = `no worker was seen ${since}; ${message}`;
    return [ready > 0 ? broken('queue', unseen, remedy) : doubtful('queue', unseen, remedy)];
  }
  return [lag > LAG_SECONDS ? broken('queue', message, remedy) : fine('queue', message)];
}

/** This machine's clock against the database's, by which everything is scheduled. */
export async function findClockOffset(client: Client): Promise<Finding[]> {
  const before = Date.now();
  const { rows } = await client.query<{ now: number }>(
    // Plain SQL: the server about itself, before the service runs.
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  );
  const after = Date.now();
  // The answer was made between the two: only what lies outside of both is an offset.
  const now = rows[0]?.now ?? NaN;
  const seconds = Math.max(now - after, before - now, 0) / 1000;
  const message = `${seconds.toFixed(1)} s between this machine and the database`;
  if (seconds <= MOST_OFFSET_SECONDS) return [fine('clock', message)];
  return [broken('clock', message, 'Set both clocks by NTP.')];
}

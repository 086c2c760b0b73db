import type pg from 'pg';
import { migrations } from '../../../migrations/index.js';
import { BadSettings } from '../../core/values/config.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../../core/values/version.js';

/**
 * The oldest release whose processes may use the schema of this one: this release itself. A release that only adds to
 * the schema may set the previous one, so that both can serve at the same time during an upgrade.
 */
const OLDEST_COMPATIBLE_RELEASE = SERVICE_VERSION;

type Client = Pick<pg.Client, 'query'>;

/** The recorded state of a database schema. */
export interface SchemaState {
  /** Names of the migrations that it has. */
  applied: Set<string>;
  /** Null in a database that no release has recorded yet. */
  recorded: { release: string; oldestCompatible: string } | null;
}

async function exists(client: Client, table: string): Promise<boolean> {
  // Plain SQL: on the connection that migrates, before any entity is known.
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table]);
  return rows[0]?.exists === true;
}

export async function readSchema(client: Client): Promise<SchemaState> {
  if (!(await exists(client, 'mikro_orm_migrations'))) return { applied: new Set(), recorded: null };
  // Plain SQL: on the connection that migrates, before any entity is known.
  const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations');
  const applied = new Set(rows.map(({ name }) => name));
  if (!(await exists(client, 'instance_schema'))) return { applied, recorded: null };
  const { rows: recorded } = await client.query<{ release: string; oldestCompatible: string }>(
    // Plain SQL: on the connection that migrates, before any entity is known.
    'select release, oldest_compatible_release as "oldestCompatible" from instance_schema',
  );
  return { applied, recorded: recorded[0] ?? null };
}

/** Below zero where the first release is older. What follows a hyphen comes before the release itself. */
export function compareReleases(one: string, other: string): number {
  const [[numbers, suffix], [otherNumbers, otherSuffix]] = [getParts(one), getParts(other)];
  for (const [index, number] of numbers.entries()) {
    const difference = number - (otherNumbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (suffix === otherSuffix) return 0;
  if (suffix === '' || otherSuffix === '') return suffix === '' ? 1 : -1;
  return suffix < otherSuffix ? -1 : 1;
}

function getParts(release: string): [number[], string] {
  const [numbers = '', ...suffix] = release.split('-');
  return [numbers.split('.').map(Number), suffix.join('-')];
}

export const pendingMigrations = ({ applied }: SchemaState): string[] =>
  migrations.map(({ name }) => name).filter((name) => !applied.has(name));

/** Why this code must not use the schema, with both versions; null if it may. */
export function incompatibility({ applied, recorded }: SchemaState): string | null {
  const newer = `Run the newer version, or restore a backup of the database from before it.`;
  if (recorded && compareReleases(SERVICE_VERSION, recorded.oldestCompatible) < 0)
    return (
      `The database was brought up to date by ${SERVICE_NAME} ${recorded.release} and serves ` +
      `${recorded.oldestCompatible} or newer; this is ${SERVICE_NAME} ${SERVICE_VERSION}. ${newer}`
    );
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !names.has(name)).toSorted();
  const isLaterRelease = recorded !== null && compareReleases(SERVICE_VERSION, recorded.release) < 0;
  if (unknown.length === 0 || isLaterRelease) return null;
  return (
    `The database has migrations that this code does not know, up to ${unknown.at(-1)} of ${SERVICE_NAME} ` +
    `${recorded?.release ?? 'of unknown version'}; this is ${SERVICE_NAME} ${SERVICE_VERSION} with migrations up to ` +
    `${migrations.at(-1)?.name}. ${newer}`
  );
}

/** @throws BadSettings where the schema is of a release that this one is too old for: starting again does not help */
export function requireCompatible(state: SchemaState): void {
  const problem = incompatibility(state);
  if (problem !== null) throw new BadSettings([problem]);
}

/** Records this release, unless a later release that this one is compatible with is recorded. */
export async function recordRelease(client: Client, { recorded }: SchemaState): Promise<void> {
  if (recorded && compareReleases(recorded.release, SERVICE_VERSION) > 0) return;
  if (recorded?.release === SERVICE_VERSION && recorded.oldestCompatible === OLDEST_COMPATIBLE_RELEASE) return;
  await client.query(
    // Plain SQL: on the connection that migrates, before any entity is known.
    `insert into instance_schema (release, oldest_compatible_release) values ($1, $2)
     on conflict (only_one) do update
       set release = excluded.release, oldest_compatible_release = excluded.oldest_compatible_release`,
    [SERVICE_VERSION, OLDEST_COMPATIBLE_RELEASE],
  );
}

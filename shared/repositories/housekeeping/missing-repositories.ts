import { access } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Config } from '../../core/values/config.js';
import { repositoryPath } from '../../git/index.js';

/** Number of repositories to check: a wrong DATA_DIR lacks all of them, and startup should not wait for more. */
const SAMPLE = 100;
const COUNTED = 10_000;

const isMissing = (directory: string): Promise<boolean> =>
  access(directory).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
  );

/**
 * Warns if repositories that exist in the database are missing on disk: checks a small sample, with the oldest, the
 * newest and a varying selection of others.
 * @returns a sentence; null if none is missing
 */
export async function missingRepositoriesWarning(
  client: Pick<pg.Client, 'query'>,
  { dataDir }: Pick<Config, 'dataDir'>,
): Promise<string | null> {
  const { rows } = await client.query<{ id: number }>(
    // Plain SQL: before the service runs, on a connection without entities.
    `select p.id::float8 as id from projects p
      where p.repository_created and p.removal_started_at is null and p.id in (
        select floor(random() * (select max(id) from projects))::bigint + 1 from generate_series(1, $1)
        union all select min(id) from projects where repository_created
        union all select max(id) from projects where repository_created)`,
    [SAMPLE],
  );
  const directory = path.join(dataDir, 'repositories');
  const missing = await Promise.all(rows.map(({ id }) => isMissing(repositoryPath(directory, id))));
  const count = missing.filter(Boolean).length;
  if (count === 0) return null;
  const { rows: counted } = await client.query<{ total: number }>(
    // Plain SQL: before the service runs, on a connection without entities.
    `select count(*)::int as total from (select 1 from projects where repository_created limit ${COUNTED + 1}) p`,
  );
  const total = counted[0]?.total ?? 0;
  return (
    `Repositories are missing: the database knows ${total > COUNTED ? `more than ${COUNTED}` : total}, and of ` +
    `${rows.length} that were looked for ${count} are not in ${directory}. Their projects answer without files, and cannot ` +
    'be cloned: set DATA_DIR to the directory that holds them, or restore them from a backup.'
  );
}

import path from 'node:path';
import type pg from 'pg';
import type { Config } from '../../core/config.js';
import { missingObjects, repositoryPath } from '../../git/index.js';
import { broken, fine } from '../../instance/doctor/finding.js';
import type { Finding } from '../../instance/doctor/finding.js';

const SAMPLE = 5;
/** For each of the sample, in milliseconds. */
const PATIENCE_MS = 5000;

async function check(config: Config, id: number): Promise<Finding | null> {
  const subject = 'repositories';
  const remedy = 'Restore it from a backup, and look at the disk.';
  try {
    const missing = await missingObjects(repositoryPath(path.join(config.dataDir, 'repositories'), id), PATIENCE_MS);
    return missing === null ? null : broken(subject, `that of project ${id} is damaged: ${missing}`, remedy);
  } catch (error) {
    const kind = error instanceof Error ? error.constructor.name : 'Error';
    if (kind === 'GitTimeout') return null;
    return broken(subject, `that of project ${id} cannot be read (${kind})`, remedy);
  }
}

/** A few repositories, others each time; those that take too long to look through are left out. */
export async function findRepositories(client: Pick<pg.Client, 'query'>, config: Config): Promise<Finding[]> {
  const { rows } = await client.query<{ id: number }>(
    `select p.id::float8 as id from projects p
      where p.repository_created and p.id in (
        select floor(random() * (select max(id) from projects))::bigint + 1 from generate_series(1, 50)
        union all select max(id) from projects)
      limit $1`,
    [SAMPLE],
  );
  const found = await Promise.all(rows.map(({ id }) => check(config, id)));
  const damaged = found.filter((finding) => finding !== null);
  return damaged.length > 0 ? damaged : [fine('repositories', `${rows.length} looked at, none is damaged`)];
}

import path from 'node:path';
import type pg from 'pg';
import type { Config } from '../../core/config.js';
import type { Queryable } from '../../core/database/database.js';
import type { Sql } from '../../core/sql.js';
import { missingObjects, repositoryPath } from '../../git/index.js';
import { broken, fine } from '../../instance/doctor/finding.js';
import type { Finding } from '../../instance/doctor/finding.js';
import { compareIndexWithGit } from '../repair/compare-refs.js';

type Client = Pick<pg.Client, 'query'>;

const SAMPLE = 5;
/** For each of the sample, in milliseconds. */
const PATIENCE_MS = 5000;

const subject = 'repositories';

/** Statements on the connection of the command. */
const queryableOf = (client: Client): Queryable => ({
  query: async <T>({ text, values }: Sql) => (await client.query(text, [...values])).rows as T[],
});

/** Whether the index of refs is as in git. What is being written meanwhile is equal at a second look. */
async function compare(client: Client, id: number, repository: string): Promise<Finding | null> {
  let differing = 0;
  for (let look = 0; look < 2; look += 1) {
    differing = (await compareIndexWithGit(queryableOf(client), { id }, repository)).changes.length;
    if (differing === 0) return null;
  }
  const found = `that of project ${id} has ${differing} branches and tags that are not so in the database`;
  return broken(subject, found, `Run: npm run repair -- repositories --project ${id}`);
}

async function check(client: Client, config: Config, id: number): Promise<Finding | null> {
  const remedy = 'Restore it from a backup, and look at the disk.';
  const repository = repositoryPath(path.join(config.dataDir, 'repositories'), id);
  try {
    const missing = await missingObjects(repository, PATIENCE_MS);
    if (missing !== null) return broken(subject, `that of project ${id} is damaged: ${missing}`, remedy);
    return await compare(client, id, repository);
  } catch (error) {
    const kind = error instanceof Error ? error.constructor.name : 'Error';
    if (kind === 'GitTimeout') return null;
    return broken(subject, `that of project ${id} cannot be read (${kind})`, remedy);
  }
}

/** A few repositories, others each time; those that take too long to look through are left out. */
export async function findRepositories(client: Client, config: Config): Promise<Finding[]> {
  const { rows } = await client.query<{ id: number }>(
    `select p.id::float8 as id from projects p
      where p.repository_created and p.id in (
        select floor(random() * (select max(id) from projects))::bigint + 1 from generate_series(1, 50)
        union all select max(id) from projects)
      limit $1`,
    [SAMPLE],
  );
  const found = await Promise.all(rows.map(({ id }) => check(client, config, id)));
  const wrong = found.filter((finding) => finding !== null);
  return wrong.length > 0 ? wrong : [fine(subject, `${rows.length} looked at, none is damaged`)];
}

import path from 'node:path';
import type { OperationNodeSource } from 'kysely';
import type pg from 'pg';
import type { Config } from '../../core/values/config.js';
import type { Queryable } from '../../core/database/database.js';
import type { Statement } from '../../core/database/driver/statement.js';
import { asStatement } from '../../core/database/compile.js';
import { listRefs, missingObjects, repositoryPath } from '../../git/index.js';
import { broken, fine } from '../../instance/doctor/finding.js';
import type { Finding } from '../../instance/doctor/finding.js';
import { contentPath, contentOfColumns, contentLabel } from '../repositories/content-ref.js';
import type { ContentColumns } from '../repositories/content-ref.js';
import { compareIndexWithGit } from './compare-refs.js';

type Client = Pick<pg.Client, 'query'>;

const SAMPLE = 5;
/** For each of the sample, in milliseconds. */
const TIMEOUT_MS = 5000;

const component = 'repositories';

/** Statements on the connection of the command. */
const getQueryable = (client: Client): Queryable => ({
  query: async <T>(statement: Statement | OperationNodeSource) => {
    const { text, values } = asStatement(statement);
    return (await client.query(text, [...values])).rows as T[];
  },
});

/** Whether the index of refs matches git. Concurrent writes are resolved by a second poll. */
async function compare(client: Client, id: number, repository: string): Promise<Finding | null> {
  let differing = 0;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    differing = (await compareIndexWithGit(getQueryable(client), { id }, repository)).changes.length;
    if (differing === 0) return null;
  }
  const found = `that of project ${id} has ${differing} branches and tags that are not so in the database`;
  return broken(component, found, `Run: npm run repair -- repositories --project ${id}`);
}

/** The problem with a repository; null if there is none, or the check takes too long. */
async function getProblem(name: string, inspect: () => Promise<Finding | null>): Promise<Finding | null> {
  try {
    return await inspect();
  } catch (error) {
    const kind = error instanceof Error ? error.constructor.name : 'Error';
    return kind === 'GitTimeout' ? null : broken(component, `that of ${name} cannot be read (${kind})`, REMEDY);
  }
}

const REMEDY = 'Restore it from a backup, and look at the disk.';

function check(client: Client, config: Config, id: number): Promise<Finding | null> {
  const repository = repositoryPath(path.join(config.dataDir, 'repositories'), id);
  return getProblem(`project ${id}`, async () => {
    const missing = await missingObjects(repository, TIMEOUT_MS);
    if (missing !== null) return broken(component, `that of project ${id} is damaged: ${missing}`, REMEDY);
    return compare(client, id, repository);
  });
}

/** The stored state of a non-project repository. */
type ContentRow = ContentColumns & { id: number; branch: string; head_sha: string | null };

const contentRows = async (client: Client, condition: string, value: number): Promise<ContentRow[]> =>
  (
    await client.query<ContentRow>(
      // Plain SQL: before the service runs, on a connection without entities.
      `select c.id::float8 as id, c.project_id::float8 as project_id, c.namespace_id::float8 as namespace_id,
              c.snippet_id::float8 as snippet_id, c.branch, c.head_sha
         from content_repositories c where ${condition}`,
      [value],
    )
  ).rows;

/** Whether the stored state of a branch matches git. Concurrent writes are resolved by a second poll. */
async function compareContent(client: Client, row: ContentRow, name: string, location: string) {
  let current: ContentRow | undefined = row;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const [head] = await listRefs(location, { prefixes: [`refs/heads/${current.branch}`] });
    if ((head?.target ?? null) === current.head_sha) return null;
    [current] = await contentRows(client, 'c.id = $1', row.id);
    // It was removed meanwhile.
    if (!current) return null;
  }
  return broken(component, `that of ${name} is another one in the database`, 'Run: npm run repair -- repositories');
}

function checkContent(client: Client, config: Config, row: ContentRow): Promise<Finding | null> {
  const content = contentOfColumns(row);
  const [name, location] = [contentLabel(content), contentPath({ config }, content)];
  return getProblem(name, async () => {
    const missing = await missingObjects(location, TIMEOUT_MS);
    if (missing !== null) return broken(component, `that of ${name} is damaged: ${missing}`, REMEDY);
    return compareContent(client, row, name, location);
  });
}

/** Ids of a table, others each time, and the newest one. */
const getSample = (table: string) => `
  select floor(random() * (select max(id) from ${table}))::bigint + 1 from generate_series(1, 50)
  union all select max(id) from ${table}`;

/**
 * A few repositories of projects, and a few of wikis and snippets, others each time; those that take too long to look
 * through are left out.
 */
export async function findRepositories(client: Client, config: Config): Promise<Finding[]> {
  const { rows } = await client.query<{ id: number }>(
    // Plain SQL: before the service runs, on a connection without entities.
    `select p.id::float8 as id from projects p
      where p.repository_created and p.id in (${getSample('projects')}) limit $1`,
    [SAMPLE],
  );
  const contents = await contentRows(client, `c.id in (${getSample('content_repositories')}) limit $1`, SAMPLE);
  const found = await Promise.all([
    ...rows.map(({ id }) => check(client, config, id)),
    ...contents.map((row) => checkContent(client, config, row)),
  ]);
  const wrong = found.filter((finding) => finding !== null);
  return wrong.length > 0
    ? wrong
    : [fine(component, `${rows.length} looked at, none is damaged; of wikis and snippets ${contents.length}`)];
}

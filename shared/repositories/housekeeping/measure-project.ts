import type { Context } from '../../core/context/context.js';
import { commitCount, GitTimeout, GitTooCostly, readFileList, readObjects, repositorySize } from '../../git/index.js';
import { ThreadTimeout } from '../../core/threads/thread.js';
import { allOf, constant, unnestedRows } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { ProjectStatistics } from '../../tenancy/projects/project-statistics.entity.js';
import { getRepositoryPath } from '../repositories/write-refs.js';
import type { FileDetails, ReadContents } from './measure-files.js';
import { measureFilesApart } from './measure-thread.js';

/** Measured data of a repository; null for values that took too long. */
interface Found {
  head_sha: string | null;
  commit_count: number | null;
  repository_size: number;
  files: FileDetails | null;
}

interface Head {
  repository_created: boolean;
  head: string | null;
}

const NO_FILES: FileDetails = { readme_path: null, license_path: null, license_key: null, languages: new Map() };
/** How often a head that moved during measurement is measured again; each change also sends its own job. */
const MAX_ATTEMPTS = 3;

/** Contents by their ids, by one process. */
function reader(location: string): ReadContents {
  return async (ids) => (await readObjects(location, ids)).map((found) => new Uint8Array(found?.content ?? []));
}

/** @returns null, with a log entry, if it takes too long */
async function inTime<T>(ctx: Context, projectId: number, part: string, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ThreadTimeout || error instanceof GitTimeout || error instanceof GitTooCostly)) throw error;
    ctx.log.warn({ err: error, project_id: projectId, part }, 'project.measure_took_too_long');
    return null;
  }
}

/** Measures a repository at the head of its default branch. */
async function measureHead(ctx: Context, projectId: number, head: string | null, timeoutMs?: number): Promise<Found> {
  const location = getRepositoryPath(ctx, { id: projectId });
  const repository_size = await repositorySize(location);
  if (head === null) return { head_sha: null, commit_count: 0, repository_size, files: NO_FILES };
  const measure = async () =>
    measureFilesApart(await readFileList(location, head, ctx.signal), reader(location), {
      timeoutMs,
      signal: ctx.signal,
    });
  const [commit_count, files] = await Promise.all([
    inTime(ctx, projectId, 'commits', commitCount(location, head, { signal: ctx.signal })),
    inTime(ctx, projectId, 'files', measure()),
  ]);
  return { head_sha: head, commit_count, repository_size, files };
}

async function storeFiles(ctx: Context, projectId: number, files: FileDetails): Promise<void> {
  const { readme_path, license_path, license_key } = files;
  await ctx.em.nativeUpdate(ProjectStatistics, { project_id: projectId }, { readme_path, license_path, license_key });
  const db = ctx.em.getKysely<RepositoriesDatabase>();
  const languages = [...files.languages].map(([name, bytes]) => ({ name, bytes }));
  const names = languages.map(({ name }) => name);
  await db
    .deleteFrom('project_languages')
    .where('project_id', '=', projectId)
    .where('name', '<>', allOf(names, 'text'))
    .execute();
  await db
    .insertInto('project_languages')
    .columns(['project_id', 'name', 'bytes'])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(languages, { name: 'text', bytes: 'bigint' }).as('u'))
        .select([eb.val(projectId).as('project_id'), 'u.name', 'u.bytes']),
    )
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'name']).doUpdateSet((eb) => ({ bytes: eb.ref('excluded.bytes') })),
    )
    .execute();
}

/** Values that could not be measured stay unchanged. */
async function store(ctx: Context, projectId: number, found: Found): Promise<void> {
  const { head_sha, commit_count, repository_size } = found;
  const statistics = { head_sha, repository_size, ...(commit_count === null ? {} : { commit_count }) };
  await ctx.em.nativeUpdate(ProjectStatistics, { project_id: projectId }, statistics);
  if (found.files) await storeFiles(ctx, projectId, found.files);
}

const getHead = (ctx: Context, projectId: number): Promise<Head | undefined> =>
  ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('projects as p')
    .leftJoin('repository_refs as r', (join) =>
      join
        .onRef('r.project_id', '=', 'p.id')
        .on((on) => on('r.full_name', '=', on(constant<string>('refs/heads/'), '||', on.ref('p.default_branch')))),
    )
    .select(['p.repository_created', 'r.target_sha as head'])
    .where('p.id', '=', projectId)
    .executeTakeFirst();

/**
 * Measures a project's repository and stores the result: the stored result is never of an older head than the current
 * one, and no transaction is open while git reads. Does nothing for a deleted project. Idempotent.
 * @param timeoutMs milliseconds for inspecting its files; a minute by default
 */
export async function measureProject(ctx: Context, projectId: number, timeoutMs?: number): Promise<void> {
  let project = await getHead(ctx, projectId);
  for (let attempt = 1; project?.repository_created && attempt <= MAX_ATTEMPTS; attempt += 1) {
    const found = await measureHead(ctx, projectId, project.head, timeoutMs);
    const now = await ctx.transaction(async () => {
      await ctx.em
        .getKysely<RepositoriesDatabase>()
        .selectFrom('project_statistics')
        .select('id')
        .where('project_id', '=', projectId)
        .forNoKeyUpdate()
        .execute();
      const head = await getHead(ctx, projectId);
      if (head && head.head === found.head_sha) await store(ctx, projectId, found);
      return head;
    });
    if (now?.head === found.head_sha) return;
    project = now;
  }
}

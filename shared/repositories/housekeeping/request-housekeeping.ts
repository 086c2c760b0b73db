import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { isPacked, looseObjects } from '../../git/index.js';
import { maintainRepositories } from '../repositories.jobs.js';
import { getRepositoryPath } from '../repositories/write-refs.js';

/** Due after so many writes, or so many objects in files of their own. */
const WRITES = 50;
const LOOSE_OBJECTS = 6_700;
/** A repository from this size on is packed as soon as it is there, as an import or fork is. Bytes. */
const LARGE = 10 * 1024 * 1024;

interface Row {
  id: number;
  writes: number;
  size: number;
}

/** Whether a repository has much that is not packed, or was never packed by housekeeping though it is large. */
async function isDue(ctx: Context, row: Row): Promise<boolean> {
  if (row.writes >= WRITES) return true;
  const location = getRepositoryPath(ctx, row);
  if ((await looseObjects(location)) >= LOOSE_OBJECTS) return true;
  return row.size >= LARGE && !(await isPacked(location));
}

/** Requests housekeeping of a project's repository if it is due. Repeated requests are deduplicated. */
export async function requestHousekeeping(ctx: Context, projectId: number): Promise<void> {
  const row = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('projects as p')
    .innerJoin('project_statistics as s', 's.project_id', 'p.id')
    .select(['p.id', 'p.writes_since_upkeep as writes', 's.repository_size as size'])
    .where('p.id', '=', projectId)
    .where('p.repository_created', '=', constant(true))
    .executeTakeFirst();
  if (!row || !(await isDue(ctx, row))) return;
  const options = { singletonKey: String(projectId) };
  await ctx.transaction(() => ctx.jobs.send(maintainRepositories, { project_id: projectId }, options));
}

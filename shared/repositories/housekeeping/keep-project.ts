import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { keepRepository, repositoryExists } from '../../git/index.js';
import type { Housekeeping } from '../../git/index.js';
import { getRepositoryPath } from '../repositories/write-refs.js';

/** Another process packs the repository. */
export class RepositoryBusy extends Error {}

const writesTo = (ctx: Context, projectId: number) =>
  ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('projects as p')
    .select('p.writes_since_upkeep as writes')
    .where('p.id', '=', projectId)
    .where('p.repository_created', '=', constant(true))
    .executeTakeFirst();

/**
 * Packs a project's repository, and counts its writes from where they stood when that began. Holds nothing of the
 * database meanwhile. Nothing happens for a project that is gone. Safe to repeat.
 * @returns how it was packed; null for a project that is gone
 * @throws RepositoryBusy, GitFailed, GitTimeout
 */
export async function keepProject(ctx: Context, projectId: number): Promise<Housekeeping | null> {
  const before = await writesTo(ctx, projectId);
  if (!before) return null;
  const location = getRepositoryPath(ctx, { id: projectId });
  try {
    const how = await keepRepository(location, { signal: ctx.signal });
    if (how === 'busy') throw new RepositoryBusy('The repository is being packed by another process.');
    // What came meanwhile stays counted.
    await ctx.em
      .getKysely<RepositoriesDatabase>()
      .updateTable('projects')
      .set((eb) => ({
        writes_since_upkeep: eb.fn<number>('greatest', [eb.lit(0), eb('writes_since_upkeep', '-', before.writes)]),
      }))
      .where('id', '=', projectId)
      .execute();
    return how;
  } catch (error) {
    // The repository was removed meanwhile, so git's error is irrelevant.
    if (!(await repositoryExists(location)) && !(await writesTo(ctx, projectId))) return null;
    throw error;
  }
}

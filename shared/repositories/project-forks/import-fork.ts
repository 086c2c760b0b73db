import type { Context } from '../../core/context/context.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { copyRepository, GitFailed, listRefs, mayComeIn, RepositoryMissing, TooManyRefs } from '../../git/index.js';
import { importRepository, sweepDrafts } from '../project-imports/import-repository.js';
import { failImport, finishEmptyImport, startImport } from '../project-imports/import-state.js';
import { ImportRejectedError, requireForkable } from '../project-imports/importer.js';
import { getRepositoryPath } from '../repositories/write-refs.js';

interface Source {
  id: number;
  repository_created: boolean;
  default_branch: string | null;
}

/** Full names of branches and tags that came to the upstream when such names could. */
async function unfitRefs(location: string): Promise<string[]> {
  const refs = await listRefs(location, { prefixes: ['refs/heads', 'refs/tags'] });
  return refs.flatMap(({ name }) => (mayComeIn(name) ? [] : [name]));
}

/**
 * Imports a fork's repository: a copy of the upstream's that shares its object files (decision 18). If the upstream is
 * deleted meanwhile, the fork is either complete or failed; it fails if the requesting user may no longer fork the
 * upstream. Idempotent, and resumable after a crash.
 * @throws errors for the queue to retry
 */
export async function importFork(
  ctx: Context,
  projectId: number,
  sourceId: number,
  branch: string | null,
): Promise<void> {
  if (!(await startImport(ctx, projectId))) return sweepDrafts(ctx, projectId);
  const load = (): Promise<Source | undefined> =>
    ctx.em
      .getKysely<RepositoriesDatabase>()
      .selectFrom('projects as p')
      .select(['p.id', 'p.repository_created', 'p.default_branch'])
      .where('p.id', '=', sourceId)
      .executeTakeFirst();
  const gone = () => failImport(ctx, projectId, 'The project that it was forked from is gone.');
  const source = await load();
  if (!source) return gone();
  try {
    await requireForkable(ctx, projectId, sourceId);
    if (!source.repository_created) return await finishEmptyImport(ctx, projectId);
    await importRepository(ctx, projectId, async (draft) => {
      const unfit = branch === null ? await unfitRefs(getRepositoryPath(ctx, source)) : [];
      await copyRepository(getRepositoryPath(ctx, source), draft, branch, unfit, ctx.signal);
      return { wished: [source.default_branch], unfit };
    });
  } catch (error) {
    if (error instanceof ImportRejectedError) return failImport(ctx, projectId, error.message);
    if (error instanceof TooManyRefs)
      return failImport(ctx, projectId, `The repository has more than ${error.most} branches and tags.`);
    if (!(error instanceof GitFailed || error instanceof RepositoryMissing)) throw error;
    if (!(await load())) return gone();
    const lacking = error instanceof GitFailed && /couldn't find remote ref/.test(error.stderr);
    if (lacking) return failImport(ctx, projectId, `The branch ${branch} does not exist.`);
    throw error;
  }
}

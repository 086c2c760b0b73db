import type { Context } from '../../core/context/context.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { defaultBranch, repositoryExists, setDefaultBranch } from '../../git/index.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { makeDefaultBranch } from '../repositories/default-branch.js';
import type { RefChange } from '../repositories/write-refs.js';
import { indexRefs, getRepositoryPath } from '../repositories/write-refs.js';
import { compareIndexWithGit } from './compare-refs.js';
import type { Difference } from './compare-refs.js';

interface Row {
  id: number;
  namespace_id: number;
  full_path: string;
  repository_created: boolean;
  default_branch: string | null;
}

/** What was found of a project's repository, and what became of it. */
export interface Reindexed {
  project: { id: number; full_path: string };
  /** What of the index was not as in git. */
  changes: readonly RefChange[];
  unfit: readonly string[];
  /** Whether the record did not know of the repository, or had no default branch or another one than HEAD. */
  record: boolean;
}

/**
 * The project, locked against writes to its refs; undefined if it was deleted or, with `skip`, is locked by another
 * transaction.
 */
function lockRow(ctx: Context, projectId: number, wait: 'wait' | 'skip'): Promise<Row | undefined> {
  return ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('projects as p')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select(['p.id', 'p.namespace_id', 'r.path as full_path', 'p.repository_created', 'p.default_branch'])
    .where('p.id', '=', projectId)
    .forNoKeyUpdate('p')
    .$if(wait === 'skip', (query) => query.skipLocked())
    .executeTakeFirst();
}

/** Which branch has to become the default one; null where one is, or there is none. */
async function missingDefault(ctx: Context, row: Row, { branches }: Difference): Promise<string | null> {
  if (row.default_branch !== null || branches.length === 0) return null;
  const head = await defaultBranch(getRepositoryPath(ctx, row));
  return branches.includes(`refs/heads/${head}`) ? head : branches[0]!.slice('refs/heads/'.length);
}

/** Corrects the record of the repository. */
async function repairRecord(ctx: Context, row: Row, found: Difference, dryRun: boolean): Promise<boolean> {
  const location = getRepositoryPath(ctx, row);
  const newDefault = await missingDefault(ctx, row, found);
  const headDiffers = row.default_branch !== null && (await defaultBranch(location)) !== row.default_branch;
  if (!dryRun) {
    if (!row.repository_created) await ctx.em.nativeUpdate(Project, { id: row.id }, { repository_created: true });
    if (newDefault !== null) await makeDefaultBranch(ctx, row, newDefault);
    // Which branch is the default one is a setting of the project, which HEAD follows.
    if (headDiffers) await setDefaultBranch(location, row.default_branch!);
  }
  return !row.repository_created || newDefault !== null || headDiffers;
}

/**
 * Rebuilds the index of a project's refs from its repository, which is authoritative, and publishes the changes like
 * any others. Writes to the refs are locked meanwhile. A project whose repository was never created is left unchanged.
 * @param options.wait `skip` returns null at once if another transaction is writing
 * @param options.dryRun reports differences without changing anything
 * @returns null for a deleted project
 * @throws RepositoryMissing if the record says that there is one: the index stays unchanged, because the disk of the
 * repository may be unavailable
 */
export function reindexRepository(
  ctx: Context,
  projectId: number,
  { wait = 'wait', dryRun = false }: { wait?: 'wait' | 'skip'; dryRun?: boolean } = {},
): Promise<Reindexed | null> {
  return ctx.transaction(async () => {
    const row = await lockRow(ctx, projectId, wait);
    if (!row) return null;
    const project = { id: row.id, full_path: row.full_path };
    if (!row.repository_created && !(await repositoryExists(getRepositoryPath(ctx, row))))
      return { project, changes: [], unfit: [], record: false };
    const found = await compareIndexWithGit(ctx, row, getRepositoryPath(ctx, row));
    const { changes, unfit } = found;
    if (changes.length > 0 && !dryRun) {
      await indexRefs(ctx, row, changes, ctx.clock.now());
      const { full_path, namespace_id } = row;
      ctx.record(
        { type: 'refs.updated', project_id: row.id, changes, starts_pipelines: false, push_options: [] },
        { type: 'repository.repaired', project: { id: row.id, full_path, namespace_id }, changes },
      );
    }
    const record = await repairRecord(ctx, row, found, dryRun);
    return { project, changes, unfit, record };
  });
}

import type { Problems } from '../../core/values/errors.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { setDefaultBranch } from '../../git/index.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { MAIN_BRANCH } from '../../tenancy/projects/new-settings.js';
import { protectDefaultBranch } from '../protected-refs/protect-branch.js';
import { noteMove } from './ref-moves.js';
import { findRef } from './repository-ref.finder.js';
import { openRepository } from './write-refs.js';

/** Whether the requested branch differs from the current default branch. */
function changes(found: ProjectRecord, branch: string | undefined): branch is string {
  return branch !== undefined && found.default_branch !== null && branch !== found.default_branch;
}

const findDefaultBranch = prepareQuery<
  RepositoriesDatabase,
  { namespace_id: number },
  { default_branch: string | null }
>((db, { namespace_id }) =>
  db.selectFrom('group_settings as gs').select('gs.default_branch').where('gs.namespace_id', '=', namespace_id),
);

/** The default branch name shown for a project without any branch. */
export async function unbornBranch(ctx: Context, found: ProjectRecord): Promise<string> {
  const [row] = await findDefaultBranch(ctx, { namespace_id: found.namespace_id });
  return row?.default_branch ?? MAIN_BRANCH;
}

/**
 * Whether a branch may be set as the default one. A project without branches accepts only its initial branch name: the
 * first push sets the default.
 */
async function exists(ctx: Context, found: ProjectRecord, branch: string): Promise<boolean> {
  if (found.default_branch === null) return branch === (await unbornBranch(ctx, found));
  return branch === found.default_branch || (await findRef(ctx, found.id, `refs/heads/${branch}`)) !== null;
}

/** The default branch is one that there is. */
export async function defaultBranchProblems(
  ctx: Context,
  found: ProjectRecord,
  branch: string | undefined,
): Promise<Problems> {
  if (branch === undefined || (await exists(ctx, found, branch))) return {};
  return { base: [`Could not change HEAD: branch '${branch}' does not exist`] };
}

/** Makes a branch the default one, in the record and as HEAD of the repository. The last step: git rolls nothing back. */
export async function changeDefaultBranch(
  ctx: Context,
  found: ProjectRecord,
  branch: string | undefined,
): Promise<void> {
  if (!changes(found, branch)) return;
  await ctx.em.nativeUpdate(Project, { id: found.id }, { default_branch: branch });
  ctx.record({ type: 'default_branch.changed', project_id: found.id, from: found.default_branch ?? null, to: branch });
  await noteMove(ctx, found)(() => setDefaultBranch(openRepository(ctx, found), branch));
}

type ProjectRow = Pick<Project, 'id' | 'default_branch'>;

/** Makes the first branch of a project its default one, unless a concurrent request has set another. */
export async function makeDefaultBranch(ctx: Context, project: ProjectRow, branch: string): Promise<void> {
  const none = { id: project.id, default_branch: null };
  if ((await ctx.em.nativeUpdate(Project, none, { default_branch: branch })) === 0) return;
  project.default_branch = branch;
  // HEAD may name the branch of an earlier try that failed.
  await setDefaultBranch(openRepository(ctx, project), branch);
  await protectDefaultBranch(ctx, project, branch);
}

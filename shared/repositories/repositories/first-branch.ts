import type { Context } from '../../core/context/context.js';
import { setDefaultBranch } from '../../git/index.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { protectDefaultBranch } from '../protected-refs/protect-branch.js';
import { openRepository } from './write-refs.js';

type ProjectRow = Pick<Project, 'id' | 'default_branch'>;

/** Makes the first branch of a project its default one, unless somebody was quicker with another. */
export async function makeDefaultBranch(ctx: Context, project: ProjectRow, branch: string): Promise<void> {
  const none = { id: project.id, default_branch: null };
  if ((await ctx.em.nativeUpdate(Project, none, { default_branch: branch })) === 0) return;
  project.default_branch = branch;
  // HEAD may name the branch of an earlier try that failed.
  await setDefaultBranch(openRepository(ctx, project), branch);
  await protectDefaultBranch(ctx, project, branch);
}

import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { withoutSuffix } from './delete-project.js';
import { lockProject } from '../../tenancy/projects/lock-project.js';
import { freeLocation, moveProject, findConflicts } from './move-project.js';
import type { ProjectLocation } from './move-project.js';
import { findProject, project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { TAKEN } from '../../core/values/database-errors.js';

/** Name and path as they were before the mark; with the id behind them where another project has them by now. */
async function formerLocation(ctx: Context, found: ProjectRecord): Promise<ProjectLocation> {
  const { id } = found;
  const location = { name: withoutSuffix(id, found.name), path: withoutSuffix(id, found.path) };
  const conflicts = await findConflicts(ctx, found, location);
  if (!conflicts.path && !conflicts.name) return location;
  return freeLocation(ctx, found, { name: `${location.name}-${id}`, path: `${location.path}-${id}` });
}

/** Restore a project that is marked for deletion: Owners, until it is removed. */
export const restoreProject = operation({
  name: 'restoreProject',
  summary: 'Restore a project',
  resource: project,
  can: can(projectPolicy, 'remove_project'),
  kind: 'write',
  statements: 18,
  async run(ctx, found) {
    const locked = await lockProject(ctx, found, 'remove_project');
    if (!locked.marked_for_deletion_at) throw new Invalid('Project has not been marked for deletion');
    if (!(await moveProject(ctx, locked, await formerLocation(ctx, locked)))) throw new Invalid({ path: [TAKEN] });
    await ctx.em.nativeUpdate(Project, { id: locked.id }, { marked_for_deletion_at: null });
    const restored = await findProject(ctx, locked.id);
    ctx.record({ type: 'project.restored', project: restored });
    return restored;
  },
});

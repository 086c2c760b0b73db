import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { lockProject } from '../../tenancy/projects/lock-project.js';
import { findProject, project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';

async function setArchived(ctx: Context, found: ProjectRecord, archived: boolean): Promise<ProjectRecord> {
  await ctx.em.nativeUpdate(Project, { id: found.id }, { archived, updated_at: ctx.clock.now() });
  ctx.record({ type: archived ? 'project.archived' : 'project.unarchived', project: found });
  return findProject(ctx, found.id);
}

/** Archive a project: Owners. It stays readable, nothing in it changes, and its schedules do not run. */
export const archiveProject = operation({
  name: 'archiveProject',
  summary: 'Archive a project',
  resource: project,
  can: can(projectPolicy, 'archive_project'),
  kind: 'write',
  async run(ctx, found) {
    const locked = await lockProject(ctx, found, 'archive_project');
    if (locked.archived) throw new Invalid('Project is already archived!');
    if (locked.marked_for_deletion_at) throw new Invalid('Cannot archive project since it is scheduled for deletion.');
    return setArchived(ctx, locked, true);
  },
});

/** Take a project out of the archive: Owners. */
export const unarchiveProject = operation({
  name: 'unarchiveProject',
  summary: 'Unarchive a project',
  resource: project,
  can: can(projectPolicy, 'archive_project'),
  kind: 'write',
  async run(ctx, found) {
    const locked = await lockProject(ctx, found, 'archive_project');
    if (!locked.archived) throw new Invalid('Project is already unarchived!');
    return setArchived(ctx, locked, false);
  },
});

import type { Context } from '../../core/context/context.js';
import { can, operation } from '../../core/operations/operation.js';
import { Conflict } from '../../core/values/errors.js';
import { failImport } from '../../repositories/project-imports/import-state.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import { findProject, project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { closeArchiveImport } from '../archive-imports/import-state.js';
import { newestGroupImport, newestProjectImportId } from './import.finder.js';
import type { GroupImportRecord } from './import.finder.js';

const CANCELLED = 'The import was cancelled.';

/** @throws Conflict for an import that is over */
async function cancel(ctx: Context, importId: number): Promise<void> {
  if (!(await closeArchiveImport(ctx, importId, CANCELLED))) throw new Conflict('The import is over.');
}

/** Read how far the import of a group is: its Owners. */
export const getGroupImport = operation({
  name: 'getGroupImport',
  summary: 'Read the status of a group import',
  resource: group,
  can: can(groupPolicy, 'admin_group'),
  kind: 'read',
  run: (ctx, { id }) => newestGroupImport(ctx, id),
});

/** Cancel the import of a group: its Owners. What was imported stays. */
export const cancelGroupImport = operation({
  name: 'cancelGroupImport',
  summary: 'Cancel the import of a group',
  resource: group,
  can: can(groupPolicy, 'admin_group'),
  kind: 'write',
  async run(ctx, found): Promise<GroupImportRecord> {
    const { id } = await newestGroupImport(ctx, found.id);
    await cancel(ctx, id);
    ctx.record({ type: 'group_import.cancelled', group: found });
    return newestGroupImport(ctx, found.id);
  },
});

/** Read the progress of a project that is being imported or forked; requires permission to read the project. */
export const getProjectImport = operation({
  name: 'getProjectImport',
  summary: 'Read the status of a project import',
  resource: project,
  can: can(projectPolicy, 'read_project'),
  authentication: 'signed_in_resource',
  kind: 'read',
  run: (_ctx, found) => Promise.resolve(found),
});

/** Cancel the import of an archive of a project: its Maintainers. What was imported stays. */
export const cancelProjectImport = operation({
  name: 'cancelProjectImport',
  summary: 'Cancel the import of a project from an archive',
  resource: project,
  can: can(projectPolicy, 'admin_project'),
  kind: 'write',
  async run(ctx, found) {
    await cancel(ctx, await newestProjectImportId(ctx, found.id));
    await failImport(ctx, found.id, CANCELLED);
    ctx.record({ type: 'project_import.cancelled', project: found });
    return findProject(ctx, found.id);
  },
});

import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { askForUpdate } from './mirror-state.js';
import { findMirror } from './project-mirror.finder.js';

/** Read how the mirror of a project fares: Maintainers. */
export const getProjectMirror = operation({
  name: 'getProjectMirror',
  summary: "Read a project's pull mirror",
  resource: project,
  can: can(projectPolicy, 'admin_project'),
  plan: 'premium',
  kind: 'read',
  statements: 4,
  run: findMirror,
});

/** Request an update of the mirror ahead of schedule, at most every five minutes. Requires a Maintainer. */
export const updateProjectMirror = operation({
  name: 'updateProjectMirror',
  summary: "Update a project's pull mirror",
  resource: project,
  can: can(projectPolicy, 'admin_project'),
  plan: 'premium',
  kind: 'write',
  async run(ctx, found) {
    await findMirror(ctx, found);
    await askForUpdate(ctx, found.id);
    ctx.record({ type: 'mirror.update_requested', project: found });
    return findMirror(ctx, found);
  },
});

import { text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { transferProject } from './transfer-project.js';
import { findGroup, group } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';

/** Transfer a project into a group: administrators. The same as transferring it from the project's side. */
export const transferProjectToGroup = operation({
  name: 'transferProjectToGroup',
  summary: 'Transfer a project to a group',
  resource: group,
  can: can(groupPolicy, 'transfer_project_to_group'),
  kind: 'write',
  statements: 42,
  params: {
    project_id: text()
      .describe('ID, or URL-encoded full path, of the project.')
      .meta({ examples: ['root/rocket'] }),
  },
  async run(ctx, found, input) {
    const project = await findProject(ctx, input.project_id);
    await transferProject.run(ctx, project, { namespace: String(found.id) });
    return findGroup(ctx, found.id);
  },
});

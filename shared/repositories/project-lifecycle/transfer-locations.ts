import { optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { acceptsProjects } from '../../tenancy/group-details/groups-for-projects.js';
import { isGroupNamedLike, onGroups, visibleGroups } from '../../tenancy/groups/group.finder.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';

/** List the groups that a project can be transferred to: Owners, by name. */
export const listTransferLocations = operation({
  name: 'listTransferLocations',
  summary: 'List the groups that a project can be transferred to',
  subject: project,
  can: can(projectPolicy, 'transfer_project'),
  kind: 'read',
  statements: 4,
  params: { search: optional(text()).describe('Part of name or path.') },
  run(ctx, found, { search }) {
    const where = [acceptsProjects(ctx), onGroups('n.id', '<>', found.namespace_id)];
    if (search !== undefined) where.push(isGroupNamedLike(search));
    return Promise.resolve(visibleGroups(ctx, where));
  },
});

import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { writable } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

/** Permissions for the agents of a project, as in the public API: Developers read them, Maintainers manage them. */
export const clusterAgentPolicy = policy({
  read_cluster_agent: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'developer'),
  admin_cluster_agent: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && roleIn(caller, project, 'maintainer'),
});

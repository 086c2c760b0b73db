import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { writable } from '../../tenancy/projects/project.policy.js';

/** Requires a Maintainer of the project, for reading as well. In read-only projects keys can only be removed. */
export const deployKeyPolicy = policy({
  read_deploy_key: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'maintainer'),
  create_deploy_key: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && roleIn(caller, project, 'maintainer'),
  update_deploy_key: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && roleIn(caller, project, 'maintainer'),
  destroy_deploy_key: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'maintainer'),
});

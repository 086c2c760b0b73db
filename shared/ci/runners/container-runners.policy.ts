import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { writable } from '../../tenancy/projects/project.policy.js';

/** Permissions on the runners of a project (ci-execution.md section 9). */
export const projectRunnersPolicy = policy({
  read_project_runners: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'maintainer'),
  admin_project_runners: (caller: UserOrAnonymous, project: ProjectRecord) =>
    roleIn(caller, project, 'maintainer') && writable(project),
});

/** Permissions on the runners of a group. */
export const groupRunnersPolicy = policy({
  read_group_runners: (caller: UserOrAnonymous, group: GroupRecord) => roleIn(caller, group, 'maintainer'),
});

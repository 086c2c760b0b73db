import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { writable } from '../../tenancy/projects/project.policy.js';

/** Maintainers, for reading as well (protected-tags.md section 1). */
export const protectedTagPolicy = policy({
  read_protected_tag: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'maintainer'),
  create_protected_tag: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && roleIn(caller, project, 'maintainer'),
  destroy_protected_tag: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && roleIn(caller, project, 'maintainer'),
});

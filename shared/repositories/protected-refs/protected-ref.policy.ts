import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { writable } from '../../tenancy/projects/project.policy.js';

/** Developers read the rules that they work under; Maintainers set them (delivery-resources.md section 7). */
export const protectedBranchPolicy = policy({
  read_protected_branch: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'developer'),
  create_protected_branch: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && roleIn(caller, project, 'maintainer'),
  /** The rule's own `unprotect` entries come on top. */
  update_protected_branch: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && roleIn(caller, project, 'maintainer'),
  destroy_protected_branch: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && roleIn(caller, project, 'maintainer'),
});

/** Maintainers, for reading as well (protected-tags.md section 1). */
export const protectedTagPolicy = policy({
  read_protected_tag: (caller: UserOrAnonymous, project: ProjectRecord) => roleIn(caller, project, 'maintainer'),
  create_protected_tag: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && roleIn(caller, project, 'maintainer'),
  destroy_protected_tag: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && roleIn(caller, project, 'maintainer'),
});

import { administers } from '../../core/operations/container.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy } from '../../core/operations/policy.js';
import type { Container } from '../../tenancy/containers/container.js';
import { containerPolicy } from '../../tenancy/containers/container.policy.js';

/** Who may do what with the badges of a project or group (core-resources.md section 8). */
export const badgePolicy = policy({
  read_badge: (caller: UserOrAnonymous, container: Container) =>
    containerPolicy[`read_${container.kind}`](caller, container),
  /** Maintainers of a project, Owners of a group. */
  admin_badge: (caller: UserOrAnonymous, container: Container) => container.open && administers(caller, container),
});

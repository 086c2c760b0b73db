import { administers } from '../../core/operations/container.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy } from '../../core/operations/policy.js';
import type { Container } from '../../tenancy/containers/container.js';

/**
 * Administrators of the container: Owners of a group, Maintainers of a project whose CI/CD is enabled; instance
 * administrators pass both (protected-environments.md section 1).
 */
const keeps = (caller: UserOrAnonymous, container: Container): boolean =>
  caller.admin ||
  (administers(caller, container) &&
    (container.kind === 'group' || container.record?.builds_access_level !== 'disabled'));

const changes = (caller: UserOrAnonymous, container: Container): boolean => container.open && keeps(caller, container);

/** Permissions for the protected environments of a project or group. */
export const protectedEnvironmentPolicy = policy({
  read_protected_environment: keeps,
  create_protected_environment: changes,
  update_protected_environment: changes,
  destroy_protected_environment: changes,
});

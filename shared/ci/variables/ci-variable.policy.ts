import { administers } from '../../core/operations/container.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy } from '../../core/operations/policy.js';
import type { Container } from '../../tenancy/containers/container.js';

/**
 * Permissions on the CI/CD variables of a project or group (ci-execution.md section 7): Maintainers of a project and
 * Owners of a group, to whom alone values are answered. Nothing changes in read-only containers.
 */
export const ciVariablePolicy = policy({
  read_cicd_variables: administers,
  admin_cicd_variables: (caller: UserOrAnonymous, container: Container) =>
    administers(caller, container) && container.open,
});

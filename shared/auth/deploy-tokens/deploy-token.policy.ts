import { administers } from '../../core/operations/container.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import type { Container } from '../../tenancy/containers/container.js';

/**
 * Permissions on the deploy tokens of a project or group (deploy-tokens.md section 1): Maintainers list and read them;
 * Maintainers of a project and Owners of a group create and revoke them. No new tokens in read-only containers.
 */
export const deployTokenPolicy = policy({
  read_deploy_token: (caller: UserOrAnonymous, container: Container) => roleIn(caller, container, 'maintainer'),
  create_deploy_token: (caller: UserOrAnonymous, container: Container) =>
    administers(caller, container) && container.open,
  destroy_deploy_token: administers,
});

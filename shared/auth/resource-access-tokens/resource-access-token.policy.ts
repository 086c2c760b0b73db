import { administers } from '../../core/operations/container.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy } from '../../core/operations/policy.js';
import type { Container } from '../../tenancy/containers/container.js';

/** Permissions on the tokens of a project or group (core-resources.md section 2). Such a token cannot create others. */
export const resourceAccessTokenPolicy = policy({
  read_resource_access_token: administers,
  create_resource_access_token: (caller: UserOrAnonymous, container: Container) =>
    administers(caller, container) && container.open && !caller.user?.bot,
  manage_resource_access_token: (caller: UserOrAnonymous, container: Container) =>
    administers(caller, container) && !caller.user?.bot,
});

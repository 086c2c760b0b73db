import type { Caller } from '../../core/context.js';
import { policy, roleIn } from '../../core/policy.js';
import type { TokenPlace } from './token-place.js';

/** Maintainers of a project, Owners of a group. */
const keeper = (caller: Caller, place: TokenPlace) =>
  roleIn(caller, place, place.kind === 'project' ? 'maintainer' : 'owner');

/** Who may do what with the tokens of a project or group (core-resources.md section 2). A token makes no others. */
export const resourceAccessTokenPolicy = policy({
  read_resource_access_token: keeper,
  create_resource_access_token: (caller: Caller, place: TokenPlace) =>
    keeper(caller, place) && place.open && !caller.user?.bot,
  manage_resource_access_token: (caller: Caller, place: TokenPlace) => keeper(caller, place) && !caller.user?.bot,
});

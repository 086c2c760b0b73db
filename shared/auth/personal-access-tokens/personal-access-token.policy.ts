import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy } from '../../core/operations/policy.js';
import { can } from '../../core/operations/operation.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';

/** Users neither see nor revoke the tokens that an administrator created to impersonate them. */
const ownOrAdministrator = (caller: UserOrAnonymous, token: Pick<PersonalAccessToken, 'user_id' | 'impersonation'>) =>
  caller.admin || (!caller.anonymous && token.user_id === caller.id && !token.impersonation);

/** Permissions on one token: its user and administrators (core-resources.md section 2). */
export const personalAccessTokenPolicy = policy({
  read_personal_access_token: ownOrAdministrator,
  revoke_personal_access_token: ownOrAdministrator,
  rotate_personal_access_token: ownOrAdministrator,
});

/** Requires a password sign-in: no token may do this, whatever its scopes, because it could then exceed them. */
export const inSession = can(policy({ act_in_own_session: (caller) => caller.session !== null }), 'act_in_own_session');

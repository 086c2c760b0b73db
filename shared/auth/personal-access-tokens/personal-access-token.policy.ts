import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy } from '../../core/operations/policy.js';
import { can } from '../../core/operations/operation.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';

/** What an administrator made to act as somebody is not theirs: they neither see it nor end it. */
const ownOrAdministrator = (caller: UserOrAnonymous, token: Pick<PersonalAccessToken, 'user_id' | 'impersonation'>) =>
  caller.admin || (!caller.anonymous && token.user_id === caller.id && !token.impersonation);

/** Who may do what with one token: its user, and administrators (core-resources.md section 2). */
export const personalAccessTokenPolicy = policy({
  read_personal_access_token: ownOrAdministrator,
  revoke_personal_access_token: ownOrAdministrator,
  rotate_personal_access_token: ownOrAdministrator,
});

/** Whoever signed in by password: what no token may do, whatever its scopes, since it would reach further than itself. */
export const inSession = can(policy({ act_in_own_session: (caller) => caller.session !== null }), 'act_in_own_session');

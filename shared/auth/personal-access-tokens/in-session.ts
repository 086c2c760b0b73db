import { can } from '../../core/operations/operation.js';
import { policy } from '../../core/operations/policy.js';

/** Whoever signed in by password: what no token may do, whatever its scopes, since it would reach further than itself. */
export const inSession = can(policy({ act_in_own_session: (caller) => caller.session !== null }), 'act_in_own_session');

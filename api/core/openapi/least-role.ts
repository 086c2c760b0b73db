import { UserCaller } from '../../../shared/core/context/callers.js';
import type { Caller, CallerUser } from '../../../shared/core/context/callers.js';
import { ACCESS_LEVELS } from '../../../shared/core/operations/policy.js';
import type { Role } from '../../../shared/core/operations/policy.js';
import type { RestRoute } from '../routes.js';

/** Roles that people hold in projects and groups, the least first. */
const ROLES = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'] as const satisfies Role[];

/** Who at least may do something: a role, or only administrators. */
export type LeastRole = (typeof ROLES)[number] | 'admin';

const PERSON: CallerUser = {
  id: 1,
  username: 'somebody',
  name: 'Somebody',
  state: 'active',
  admin: false,
  auditor: false,
  external: false,
  bot: false,
  namespace_id: null,
};

/** The values that a rule finds in the record of an ordinary private container. */
const ORDINARY: Record<string, unknown> = {
  visibility: 'private',
  archived: false,
  frozen: false,
  locked: false,
  below: false,
  ci_pipeline_variables_minimum_override_role: 'developer',
  confidential: false,
  internal: false,
  offered: false,
};

const OWNERS = /^(owner|author|user|creator)_id$/;

/**
 * A record for evaluating a rule about roles: private, active, with an owner. Known properties have ordinary values,
 * and every other property is again such a record, so that `schedule.project.access` resolves too.
 */
function standIn(values: { access: number; ownerId: number; kind: string }): never {
  const answer = (key: string): unknown => {
    if (key === 'access') return values.access;
    if (key === 'kind') return values.kind;
    if (key in ORDINARY) return ORDINARY[key];
    if (OWNERS.test(key)) return values.ownerId;
    if (/_(at|on)$/.test(key)) return null;
    if (key.endsWith('_access_level')) return 'enabled';
    return standIn(values);
  };
  return new Proxy({}, { get: (_target, key) => (typeof key === 'string' ? answer(key) : undefined) }) as never;
}

/**
 * The least role that an operation's ability requires in a private container, found by evaluating its rule; null if it
 * has no rule, or one that no role satisfies. A test that walks all routes verifies the result.
 * @param options.own evaluates the rule for a record that the caller owns or authored
 */
export function leastRole(route: RestRoute, options: { own?: boolean } = {}): LeastRole | null {
  const { rule } = route.operation;
  if (!rule) return null;
  const ownerId = options.own ? PERSON.id : -1;
  const kind = route.path.startsWith('/groups/') ? 'group' : 'project';
  const may = (caller: Caller, access: number) => {
    try {
      return rule(caller, standIn({ access, ownerId, kind }));
    } catch {
      return false;
    }
  };
  const role = ROLES.find((candidate) => may(new UserCaller(PERSON), ACCESS_LEVELS[candidate]));
  return role ?? (may(new UserCaller({ ...PERSON, admin: true }), 0) ? 'admin' : null);
}

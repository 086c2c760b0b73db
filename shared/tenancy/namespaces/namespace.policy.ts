import type { NamespaceRecord } from './namespace.entity.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';

/** Open to the caller without any membership: groups alone, as far as their visibility says. */
function open(caller: UserOrAnonymous, namespace: NamespaceRecord): boolean {
  if (namespace.visibility === 'public') return true;
  return namespace.visibility === 'internal' && !caller.anonymous && !caller.user?.external;
}

/** Who may do what with namespaces: groups, and people's own. */
export const namespacePolicy = policy({
  /** A group as `read_group` says; a personal namespace is its person's. */
  read_namespace: (caller: UserOrAnonymous, namespace: NamespaceRecord) => {
    if (caller.admin) return !namespace.removing;
    if (namespace.kind === 'user') return namespace.owner_id === caller.id;
    return !namespace.removing && (namespace.access > 0 || namespace.below || open(caller, namespace));
  },
  admin_namespace: (caller: UserOrAnonymous, namespace: NamespaceRecord) => roleIn(caller, namespace, 'owner'),
});

import type { NamespaceRecord } from './namespace.entity.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';

/** Readable without any membership: only groups, by their visibility. */
function open(caller: UserOrAnonymous, namespace: NamespaceRecord): boolean {
  if (namespace.visibility === 'public') return true;
  return namespace.visibility === 'internal' && !caller.anonymous && !caller.user?.external;
}

/** Permissions on namespaces: groups and personal namespaces. */
export const namespacePolicy = policy({
  /** Groups follow `read_group`; a personal namespace is readable only by its user. */
  read_namespace: (caller: UserOrAnonymous, namespace: NamespaceRecord) => {
    if (caller.admin) return !namespace.removing;
    if (namespace.kind === 'user') return namespace.owner_id === caller.id;
    return !namespace.removing && (namespace.access > 0 || namespace.below || open(caller, namespace));
  },
  admin_namespace: (caller: UserOrAnonymous, namespace: NamespaceRecord) => roleIn(caller, namespace, 'owner'),
});

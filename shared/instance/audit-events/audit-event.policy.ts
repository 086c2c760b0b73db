import { administers } from '../../core/operations/container.js';
import type { FoundContainer } from '../../core/operations/container.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';

/** Permissions on the log of a project or group (core-resources.md section 9). */
export const auditEventPolicy = policy({
  /** Every member; those below the next rule see what they did themselves. */
  read_audit_event: (caller: UserOrAnonymous, container: FoundContainer) => roleIn(caller, container, 'guest'),
  /** Maintainers of a project, Owners of a group: everybody's events. */
  read_all_audit_events: administers,
});

import type { Caller } from '../../core/context.js';
import { policy, roleIn } from '../../core/policy.js';
import type { AuditedPlace } from './audit-event.finder.js';

/** Who may read the log of a project or group (core-resources.md section 9). */
export const auditEventPolicy = policy({
  /** Every member; those below the next rule see what they did themselves. */
  read_audit_event: (caller: Caller, place: AuditedPlace) => roleIn(caller, place, 'guest'),
  /** Maintainers of a project, Owners of a group: everybody's events. */
  read_all_audit_events: (caller: Caller, place: AuditedPlace) =>
    roleIn(caller, place, place.type === 'Project' ? 'maintainer' : 'owner'),
});

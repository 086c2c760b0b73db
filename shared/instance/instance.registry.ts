import type { Domain } from '../core/domain.js';
import { AuditEvent } from './audit-events/audit-event.entity.js';
import { instanceAuditOf } from './instance.audit.js';

export const instanceDomain: Domain = {
  name: 'instance',
  entities: [AuditEvent],
  jobKinds: [],
  // The audit log is told first of all: `openServices` puts it there, with what every domain says of its events.
  subscribers: [],
  auditOf: instanceAuditOf,
};

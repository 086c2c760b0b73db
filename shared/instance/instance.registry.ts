import type { Domain } from '../core/domain.js';
import { AuditEvent } from './audit-events/audit-event.entity.js';

export const instanceDomain: Domain = {
  name: 'instance',
  entities: [AuditEvent],
  jobKinds: [],
  subscribers: [],
};

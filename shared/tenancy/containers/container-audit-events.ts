import { auditEventsOf } from '../../instance/audit-events/audit-event.operations.js';
import { forContainers } from './container.js';

/** Reading the audit events of projects and groups. */
export const containerAuditEvents = forContainers(auditEventsOf);

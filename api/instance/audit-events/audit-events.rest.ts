import {
  getInstanceAuditEvent,
  listInstanceAuditEvents,
} from '../../../shared/instance/audit-events/audit-event.operations.js';
import { auditEventShape as present } from '../../../shared/instance/audit-events/audit-event.shape.js';
import { get, routes } from '../../core/routes.js';

export default routes('', [
  get('/audit_events', listInstanceAuditEvents, { present, paginate: 'keyset' }),
  get('/audit_events/:audit_event_id', getInstanceAuditEvent, { present }),
]);

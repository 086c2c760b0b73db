import {
  getInstanceAuditEvent,
  groupAuditEvents,
  listInstanceAuditEvents,
  projectAuditEvents,
} from '../../../shared/instance/audit-events/audit-event.operations.js';
import { auditEventShape as present } from '../../../shared/instance/audit-events/audit-event.shape.js';
import { get, routes } from '../../core/routes.js';

export default routes('', [
  get('/audit_events', listInstanceAuditEvents, { present, paginate: 'keyset' }),
  get('/audit_events/:audit_event_id', getInstanceAuditEvent, { present }),
  get('/groups/:id/audit_events', groupAuditEvents.list, { present, paginate: 'keyset' }),
  get('/groups/:id/audit_events/:audit_event_id', groupAuditEvents.get, { present }),
  get('/projects/:id/audit_events', projectAuditEvents.list, { present, paginate: 'keyset' }),
  get('/projects/:id/audit_events/:audit_event_id', projectAuditEvents.get, { present }),
]);

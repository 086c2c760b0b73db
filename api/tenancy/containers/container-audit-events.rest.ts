import { auditEventShape as present } from '../../../shared/instance/audit-events/audit-event.shape.js';
import { groupAuditEvents, projectAuditEvents } from '../../../shared/tenancy/containers/container-audit-events.js';
import { get, routes } from '../../core/routes.js';

export default routes('', [
  get('/groups/:id/audit_events', groupAuditEvents.list, { present, paginate: 'keyset' }),
  get('/groups/:id/audit_events/:audit_event_id', groupAuditEvents.get, { present }),
  get('/projects/:id/audit_events', projectAuditEvents.list, { present, paginate: 'keyset' }),
  get('/projects/:id/audit_events/:audit_event_id', projectAuditEvents.get, { present }),
]);

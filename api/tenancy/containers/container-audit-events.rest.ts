import { auditEventShape as present } from '../../../shared/instance/audit-events/audit-event.shape.js';
import { containerAuditEvents } from '../../../shared/tenancy/containers/container.operations.js';
import { containerRoutes } from '../../core/container-routes.js';
import { get } from '../../core/routes.js';

export default containerRoutes('/audit_events', containerAuditEvents, ({ list, get: getOne }) => [
  get('/', list, { present, paginate: 'keyset' }),
  get('/:audit_event_id', getOne, { present }),
]);

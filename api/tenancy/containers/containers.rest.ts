import { auditEventSerializer as present } from '../../../shared/instance/audit-events/audit-event.serializer.js';
import { containerAuditEvents } from '../../../shared/tenancy/containers/container.operations.js';
import { containerRoutes, get, del, put, routes } from '../../core/routes.js';
import {
  containerCustomAttributes,
  userCustomAttributes,
} from '../../../shared/tenancy/containers/custom-attribute.operations.js';
import { customAttributeSerializer } from '../../../shared/tenancy/containers/custom-attribute.serializer.js';

export const containerAuditEventRoutes = containerRoutes(
  '/audit_events',
  containerAuditEvents,
  ({ list, get: getOne }) => [
    get('/', list, { present, paginate: 'keyset' }),
    get('/:audit_event_id', getOne, { present }),
  ],
);

const bound = (operations: typeof userCustomAttributes) => [
  get('/', operations.list, { present: customAttributeSerializer, paginate: 'none' }),
  get('/:key', operations.get, { present: customAttributeSerializer }),
  put('/:key', operations.set, { present: customAttributeSerializer }),
  del('/:key', operations.remove, { status: 204 }),
];

export const customAttributeRoutes = [
  ...routes('/users/:id/custom_attributes', bound(userCustomAttributes)),
  ...containerRoutes('/custom_attributes', containerCustomAttributes, bound),
];

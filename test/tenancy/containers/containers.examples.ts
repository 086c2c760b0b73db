import type { AreaExamples } from '../../core/area-examples.js';
import { auditEvent } from '../../instance/audit-events/audit-events.examples.js';

export default {
  records: {
    '/groups/:id/audit_events/:audit_event_id': auditEvent('Group'),
    '/projects/:id/audit_events/:audit_event_id': auditEvent('Project'),
  },
  requests: {
    'GET /groups/:id/audit_events/:audit_event_id': { caller: ({ people }) => people.owner },
    'GET /projects/:id/audit_events/:audit_event_id': { caller: ({ people }) => people.owner },
  },
} satisfies AreaExamples;

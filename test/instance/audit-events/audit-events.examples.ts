import { sql } from 'kysely';
import { insertAuditEvents } from '../../../shared/instance/audit-events/insert-audit-events.js';
import type { AuditedEntity } from '../../../shared/instance/audit-events/audit-note.js';
import type { AreaExamples, RecordExample } from '../../core/area-examples.js';

/** An event in the log of the instance, a group or a project, by the service itself. */
export const auditEvent =
  (type: AuditedEntity['type']): RecordExample =>
  async (world, { id }) => {
    const ctx = world.app.context();
    const entity = { type, id: Number(id ?? 1), path: 'example', namespaceId: 0 };
    const note = { event: 'example', entity, message: `Example ${world.unique()}` };
    await insertAuditEvents([{ ctx, note }]);
    const [event] = await ctx.query<{ id: number }>(sql`
      select max(e.id) as "id" from audit_events e where e.entity_type = ${type} and e.entity_id = ${entity.id}`);
    return event?.id as number;
  };

export default {
  records: {
    '/audit_events/:audit_event_id': auditEvent('Instance'),
  },
} satisfies AreaExamples;

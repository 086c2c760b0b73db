import { sql } from 'kysely';
import type { AreaExamples, RecordExample } from '../core/area-examples.js';
import { insertAuditEvents } from '../../shared/instance/audit-events/insert-audit-events.js';
import type { AuditedEntity } from '../../shared/instance/audit-events/audit-note.js';

const applicationSettings = {
  requests: {
    'PUT /application/plan_limits': { edit: { ci_pipeline_schedules: 11 } },
    'PUT /application/settings': { edit: { default_project_visibility: 'internal' } },
  },
} satisfies AreaExamples;

/** An event in the log of the instance, a group or a project, by the service itself. */
export const auditEvent =
  (type: AuditedEntity['type']): RecordExample =>
  async (sandbox, { id }) => {
    const ctx = sandbox.app.context();
    const entity = { type, id: Number(id ?? 1), path: 'example', namespaceId: 0 };
    const note = { event: 'example', entity, message: `Example ${sandbox.unique()}` };
    await insertAuditEvents([{ ctx, note }]);
    const [event] = await ctx.query<{ id: number }>(sql`
      select max(e.id) as "id" from audit_events e where e.entity_type = ${type} and e.entity_id = ${entity.id}`);
    return event?.id as number;
  };

const auditEvents = {
  needs: [{ path: /\/audit_events(\/|$)/, plan: 'premium' }],
  records: {
    '/audit_events/:audit_event_id': auditEvent('Instance'),
  },
} satisfies AreaExamples;

const metadata = {
  graphql: { alone: ['Kas', 'Metadata', 'MetadataFeatureFlag'] },
} satisfies AreaExamples;

/** A rejected request of every user: users can read only their own. */
const refusedRequest: RecordExample = async ({ app, people, unique }) => {
  const id = `refused-${unique()}`;
  for (const { token } of Object.values(people)) {
    // What else is refused to them meanwhile takes the room of this one.
    await app.denials.written();
    await app.withHeaders({ 'PRIVATE-TOKEN': token, 'X-Request-Id': id }).get('/projects/0');
  }
  await app.denials.written();
  return id;
};

const refusedRequests = {
  records: { '/refused_requests/:request_id': refusedRequest },
} satisfies AreaExamples;

export default [applicationSettings, auditEvents, metadata, refusedRequests] satisfies AreaExamples[];

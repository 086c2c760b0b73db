import { out, serializer } from '../../core/operations/serializer.js';
import type { AuditEvent } from './audit-event.entity.js';

/** A value as a text: clients with typed records read `from` and `to` as one, and null. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Details of an event beyond its entity: author, target, address, and the changed values. */
const details = serializer<AuditEvent>('AuditEventDetails', {
  custom_message: out.text((event) => event.message),
  author_name: out.text((event) => event.author_name),
  target_id: out.nullableInteger((event) => event.target_id ?? null),
  target_type: out.text((event) => event.target_type),
  target_details: out.text((event) => event.target_details),
  ip_address: out.nullableText((event) => event.ip_address ?? null),
  entity_path: out.text((event) => event.entity_path),
  change: out.text((event) => event.change ?? undefined, {
    optional: true,
    description: 'Name of the attribute that changed.',
  }),
  from: out.nullableText((event) => (event.change ? asText(event.value_from) : undefined), { optional: true }),
  to: out.nullableText((event) => (event.change ? asText(event.value_to) : undefined), { optional: true }),
  changes: out.any(
    (event) =>
      event.change ? { [event.change]: { from: event.value_from ?? null, to: event.value_to ?? null } } : undefined,
    { type: 'object', additionalProperties: true },
    {
      optional: true,
      description: 'Values before and after the change, unconverted, by attribute. Beyond the public API.',
    },
  ),
});

/** An audit event (core-resources.md section 9). */
export const auditEventSerializer = serializer<AuditEvent>('AuditEvent', {
  id: out.integer((event) => event.id),
  author_id: out.nullableInteger((event) => event.author_id ?? null, {
    description: 'ID of the author; null if nobody was signed in, or the service acted by itself.',
  }),
  entity_id: out.integer((event) => event.entity_id),
  entity_type: out.text((event) => event.entity_type),
  event_name: out.text((event) => event.event_name),
  details: out.record(details, (event) => event),
  created_at: out.instant((event) => event.created_at),
});

import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A change that affects the permissions of others. The event outlives its subject. */
export const AuditEvent = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  properties: {
    id: id(),
    /** The namespace that the entity is or is in; 0 for the instance's own. */
    namespace_id: reference(),
    /** `Project`, `Group`, `User` or `Instance`: the owner of the log that contains the event. */
    entity_type: p.string(),
    entity_id: reference(),
    /** Full path or username of the entity at that time. */
    entity_path: p.string(),
    /** Null where the service acted by itself. */
    author_id: reference().nullable(),
    author_name: p.string(),
    event_name: p.string(),
    /** What was changed: `User`, `ProtectedBranch`, … */
    target_type: p.string(),
    target_id: reference().nullable(),
    target_details: p.string(),
    /** One sentence. */
    message: p.string(),
    /** The changed attribute, if any. */
    change: p.string().nullable(),
    value_from: p.json().nullable(),
    value_to: p.json().nullable(),
    ip_address: p.string().nullable(),
    created_at: timestamp(),
  },
});
export type AuditEvent = InferEntity<typeof AuditEvent>;

import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** That somebody changed something which others' rights depend on. It outlives what it speaks of. */
export const AuditEvent = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  properties: {
    id: id(),
    /** The namespace that the entity is or is in; 0 for the instance's own. */
    namespace_id: reference(),
    /** `Project`, `Group`, `User` or `Instance`: in whose log the event stands. */
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
    /** The attribute that changed, where it was one. */
    change: p.string().nullable(),
    value_from: p.json().nullable(),
    value_to: p.json().nullable(),
    ip_address: p.string().nullable(),
    created_at: timestamp(),
  },
});
export type AuditEvent = InferEntity<typeof AuditEvent>;

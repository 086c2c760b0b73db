import { defineEntity, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { ProjectEvent } from './event.entity.js';

/** The change of one ref by a push, or of many refs together. */
export const PushEventPayload = defineEntity({
  name: 'PushEventPayload',
  tableName: 'push_event_payloads',
  properties: {
    event_id: relation(ProjectEvent).primary(),
    project_id: reference(),
    /** `created`, `removed` or `pushed`. */
    action: p.string(),
    /** `branch` or `tag`. */
    ref_type: p.string(),
    /** `main`; null for several refs. */
    ref: p.string().nullable(),
    /** Objects that the ref held before and after. */
    commit_from: p.string().nullable(),
    commit_to: p.string().nullable(),
    commit_count: p.integer(),
    commit_title: p.string().nullable(),
    /** Number of refs; null for one. */
    ref_count: p.integer().nullable(),
  },
});
export type PushEventPayload = InferEntity<typeof PushEventPayload>;

import { defineEntity, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** Whether a queue is paused; a queue without a row is not. */
export const QueueControl = defineEntity({
  name: 'QueueControl',
  tableName: 'queue_controls',
  properties: {
    queue: p.string().primary(),
    paused: p.boolean(),
    /** Who said so last; null for the service itself. */
    changed_by_id: reference().nullable(),
    changed_by: p.string().nullable(),
    changed_at: timestamp(),
    reason: p.string().nullable(),
  },
});
export type QueueControl = InferEntity<typeof QueueControl>;

import { defineEntity, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** What one worker did for a queue. Workers that are gone count together, as worker 0. */
export const QueueCounter = defineEntity({
  name: 'QueueCounter',
  tableName: 'queue_counters',
  properties: {
    queue: p.string().primary(),
    worker_id: reference().primary(),
    /** Attempts that ended. */
    processed: p.bigint('number'),
    /** The failed or lost ones among them. */
    failed: p.bigint('number'),
  },
});
export type QueueCounter = InferEntity<typeof QueueCounter>;

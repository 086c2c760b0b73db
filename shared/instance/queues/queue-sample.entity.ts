import { defineEntity, timestamp, p } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** How a queue stood at the begin of a minute. */
export const QueueSample = defineEntity({
  name: 'QueueSample',
  tableName: 'queue_samples',
  properties: {
    queue: p.string().primary(),
    at: timestamp().primary(),
    ready: p.integer(),
    active: p.integer(),
    failed: p.integer(),
    /** Seconds that the oldest waiting job had waited. */
    latency: p.integer(),
    /** Attempts that had ended well, and that had failed, since the instance was set up. */
    completed_total: p.bigint('number'),
    failed_total: p.bigint('number'),
  },
});
export type QueueSample = InferEntity<typeof QueueSample>;

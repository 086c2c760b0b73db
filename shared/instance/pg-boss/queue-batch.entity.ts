import { defineEntity, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** The current or last batch of a worker in one of its slots for a queue. */
export const QueueBatch = defineEntity({
  name: 'QueueBatch',
  tableName: 'queue_batches',
  properties: {
    worker_id: reference().primary(),
    queue: p.string().primary(),
    slot: p.integer().primary(),
    job_ids: p.array(),
    /** The attempt of each, from 1. */
    attempts: p.array((text) => Number(text)),
    started_at: timestamp(),
    /** Null while its jobs run. */
    ended_at: timestamp().nullable(),
  },
});
export type QueueBatch = InferEntity<typeof QueueBatch>;

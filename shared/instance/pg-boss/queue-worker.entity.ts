import { defineEntity, id, timestamp, p } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A worker process. One that was stopped in good order is gone; one that died stays for a while. */
export const QueueWorker = defineEntity({
  name: 'QueueWorker',
  tableName: 'queue_workers',
  properties: {
    id: id(),
    hostname: p.string(),
    pid: p.integer(),
    tag: p.string(),
    version: p.string(),
    queues: p.array(),
    /** Batches that it works on at a time, over all queues. */
    concurrency: p.integer(),
    /** Jobs in hand. */
    busy: p.integer(),
    started_at: timestamp(),
    last_seen_at: timestamp(),
    /** When another process found its database session ended. */
    lost_at: timestamp().nullable(),
  },
});
export type QueueWorker = InferEntity<typeof QueueWorker>;

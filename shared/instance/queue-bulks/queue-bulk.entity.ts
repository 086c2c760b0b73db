import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** An action on all jobs that a filter finds, done by a job in steps: how far it has come. */
export const QueueBulk = defineEntity({
  name: 'QueueBulk',
  tableName: 'queue_bulks',
  properties: {
    id: id(),
    /** `retry`, `cancel` or `delete`. */
    action: p.string(),
    filter: p.json(),
    /** Number of matching jobs at the time of the request. */
    expected: p.integer(),
    matched: p.integer(),
    affected: p.integer(),
    /** Matched, but no longer in a state that the action applies to. */
    skipped: p.integer(),
    /** The last processed job: the following ones are still to do. */
    cursor_at: timestamp().nullable(),
    cursor_id: p.uuid().nullable(),
    created_by_id: reference().nullable(),
    created_by: p.string().nullable(),
    created_at: timestamp(),
    /** Done, or ended early. */
    finished_at: timestamp().nullable(),
    cancelled: p.boolean(),
  },
});
export type QueueBulk = InferEntity<typeof QueueBulk>;

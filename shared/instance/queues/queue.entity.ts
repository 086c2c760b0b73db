import { defineEntity, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** Whether a queue is paused; a queue without a row is not. */
export const QueueControl = defineEntity({
  name: 'QueueControl',
  tableName: 'queue_controls',
  properties: {
    queue: p.string().primary(),
    paused: p.boolean(),
    /** The user who changed it last; null for the service itself. */
    changed_by_id: reference().nullable(),
    changed_by: p.string().nullable(),
    changed_at: timestamp(),
    reason: p.string().nullable(),
  },
});
export type QueueControl = InferEntity<typeof QueueControl>;

/** A kind of job that workers send by themselves, as the code of the last migration has it. */
export const QueueRecurringJob = defineEntity({
  name: 'QueueRecurringJob',
  tableName: 'queue_recurring_jobs',
  properties: {
    name: p.string().primary(),
    key: p.string().primary(),
    every_seconds: p.integer(),
    feature_category: p.string(),
  },
});
export type QueueRecurringJob = InferEntity<typeof QueueRecurringJob>;

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

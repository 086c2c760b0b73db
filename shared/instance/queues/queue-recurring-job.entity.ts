import { defineEntity, p } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

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

import { defineEntity, timestamp, p } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A finished attempt of a job. Attempts that are still running are stored in their workers' batches (decision 38). */
export const JobAttempt = defineEntity({
  name: 'JobAttempt',
  tableName: 'job_attempts',
  properties: {
    job_id: p.uuid().primary(),
    /** From 1. */
    attempt: p.integer().primary(),
    queue: p.string(),
    /** When the job was sent, of attempts with an error: those are searched in that order. */
    job_created_at: timestamp().nullable(),
    /** Host and process id, as in `host:4711`. */
    worker: p.string(),
    started_at: timestamp(),
    ended_at: timestamp(),
    /** `completed`, `failed`, `cancelled`, or `lost` with its worker. */
    outcome: p.string(),
    error_class: p.string().nullable(),
    message: p.string().nullable(),
    stack: p.string().nullable(),
  },
});
export type JobAttempt = InferEntity<typeof JobAttempt>;

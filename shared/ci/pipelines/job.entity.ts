import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** One thing that an outside executor does for a pipeline, as it reports it (README decision 17). */
export const Job = defineEntity({
  name: 'Job',
  tableName: 'jobs',
  properties: {
    id: id(),
    project_id: reference(),
    pipeline_id: reference(),
    name: p.string(),
    stage: p.string(),
    status: p.string(),
    /** Its failure does not fail the pipeline. */
    allow_failure: p.boolean(),
    /** A newer job of the same name took its place. */
    retried: p.boolean(),
    /** Per cent. */
    coverage: p.float().nullable(),
    /** Where the executor shows it. */
    target_url: p.string().nullable(),
    description: p.string().nullable(),
    user_id: reference().nullable(),
    queued_at: timestamp().nullable(),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Job = InferEntity<typeof Job>;

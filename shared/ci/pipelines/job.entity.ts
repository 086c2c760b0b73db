import { defineEntity, id, instant, p, reference } from '../../core/entity.js';
import type { InferEntity } from '../../core/entity.js';

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
    queued_at: instant().nullable(),
    started_at: instant().nullable(),
    finished_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  },
});
export type Job = InferEntity<typeof Job>;

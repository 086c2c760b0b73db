import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Pipeline } from './pipeline.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** One thing that an outside executor does for a pipeline, as it reports it (contract decision 17). */
export const Job = defineEntity({
  name: 'Job',
  tableName: 'jobs',
  properties: {
    id: id(),
    project_id: relation(Project),
    pipeline_id: relation(Pipeline),
    name: p.string(),
    stage: p.string(),
    status: p.string(),
    /** Its failure does not fail the pipeline. */
    allow_failure: p.boolean(),
    /** A newer job with the same name replaced it. */
    retried: p.boolean(),
    /** Per cent. */
    coverage: p.float().nullable(),
    /** Where the executor shows it. */
    target_url: p.string().nullable(),
    description: p.string().nullable(),
    user_id: relation(User).nullable(),
    queued_at: timestamp().nullable(),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Job = InferEntity<typeof Job>;

import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { Job } from '../pipelines/job.entity.js';

/** A pending job, with what decides which runners may take it. */
export const QueuedJob = defineEntity({
  name: 'QueuedJob',
  tableName: 'ci_queue',
  properties: {
    id: id(),
    project_id: relation(Project),
    job_id: relation(Job),
    /** The groups above the project. */
    namespace_ids: p.array((text) => Number(text)).columnType('bigint[]'),
    /** Whether the project uses instance runners, and group runners. */
    instance_runners: p.boolean(),
    group_runners: p.boolean(),
    protected: p.boolean(),
    tag_list: p.array().columnType('text[]'),
    queued_at: timestamp(),
  },
});
export type QueuedJob = InferEntity<typeof QueuedJob>;

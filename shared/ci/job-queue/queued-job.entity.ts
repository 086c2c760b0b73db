import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { Job } from '../pipelines/job.entity.js';

/** A pending job, with what decides which runners may take it; the rest is asked of its project at the hand-out. */
export const QueuedJob = defineEntity({
  name: 'QueuedJob',
  tableName: 'ci_queue',
  properties: {
    id: id(),
    project_id: relation(Project),
    job_id: relation(Job),
    /** Its ref was protected when it was made. */
    protected: p.boolean(),
    tag_list: p.array().columnType('text[]'),
    queued_at: timestamp(),
  },
});
export type QueuedJob = InferEntity<typeof QueuedJob>;

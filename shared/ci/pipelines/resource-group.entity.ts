import { defineEntity, id, p, reference, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** What only one job of a project at a time may use. */
export const ResourceGroup = defineEntity({
  name: 'ResourceGroup',
  tableName: 'resource_groups',
  properties: {
    id: id(),
    project_id: relation(Project),
    key: p.string(),
    /** Which waiting job is next: `unordered`, `oldest_first`, `newest_first` or `newest_ready_first`. */
    process_mode: p.string(),
    /** The job that uses it. */
    holder_job_id: reference().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type ResourceGroup = InferEntity<typeof ResourceGroup>;

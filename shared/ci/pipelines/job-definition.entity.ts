import { defineEntity, id, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { Pipeline } from './pipeline.entity.js';

/** What a job consists of, as its configuration says; a retry of the job has the same. */
export const JobDefinition = defineEntity({
  name: 'JobDefinition',
  tableName: 'job_definitions',
  properties: {
    id: id(),
    project_id: relation(Project),
    pipeline_id: relation(Pipeline),
    /** JSON, encrypted, bound to `job_definitions:<pipeline id>`. */
    definition: p.uint8array(),
  },
});
export type JobDefinition = InferEntity<typeof JobDefinition>;

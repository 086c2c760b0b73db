import { defineEntity, id, reference, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** A hidden ref `refs/pipelines/<id>`, from before it is written until it is removed. */
export const PipelineRef = defineEntity({
  name: 'PipelineRef',
  tableName: 'pipeline_refs',
  properties: {
    id: id(),
    project_id: relation(Project),
    /** Reserved: there need not be such a pipeline yet. */
    pipeline_id: reference(),
    created_at: timestamp(),
  },
});
export type PipelineRef = InferEntity<typeof PipelineRef>;

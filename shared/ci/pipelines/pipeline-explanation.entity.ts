import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { Pipeline } from './pipeline.entity.js';

/** Why a pipeline has its jobs, and not others. */
export const PipelineExplanation = defineEntity({
  name: 'PipelineExplanation',
  tableName: 'pipeline_explanations',
  properties: {
    id: id(),
    project_id: relation(Project),
    pipeline_id: relation(Pipeline),
    /** JSON, compressed by gzip. */
    packed: p.uint8array(),
    created_at: timestamp(),
  },
});
export type PipelineExplanation = InferEntity<typeof PipelineExplanation>;

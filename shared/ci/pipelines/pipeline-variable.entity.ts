import { defineEntity, id, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Pipeline } from './pipeline.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** A variable that a pipeline was started with. */
export const PipelineVariable = defineEntity({
  name: 'PipelineVariable',
  tableName: 'pipeline_variables',
  properties: {
    id: id(),
    project_id: relation(Project),
    pipeline_id: relation(Pipeline),
    key: p.string(),
    /** Encrypted, bound to `pipeline_variables:<pipeline id>:<key>`. */
    value: p.uint8array(),
    variable_type: p.string(),
    raw: p.boolean(),
  },
});
export type PipelineVariable = InferEntity<typeof PipelineVariable>;

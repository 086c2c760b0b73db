import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

export const Pipeline = defineEntity({
  name: 'Pipeline',
  tableName: 'pipelines',
  properties: {
    id: id(),
    project_id: relation(Project),
    iid: p.integer(),
    name: p.string().nullable(),
    /** The short name of the branch or tag. */
    ref: p.string(),
    tag: p.boolean(),
    sha: p.string(),
    before_sha: p.string(),
    status: p.string(),
    /** As stored; a scheduled run is `schedule` (contract decision 2 has what REST answers). */
    source: p.string(),
    user_id: relation(User).nullable(),
    pipeline_schedule_id: reference().nullable(),
    yaml_errors: p.string().nullable(),
    /** Inputs passed when it was created: `{name: value}`, encrypted. */
    inputs: p.uint8array().nullable(),
    coverage: p.float().nullable(),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
    committed_at: timestamp().nullable(),
    /** Seconds. */
    duration: p.integer().nullable(),
    queued_duration: p.integer().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Pipeline = InferEntity<typeof Pipeline>;

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

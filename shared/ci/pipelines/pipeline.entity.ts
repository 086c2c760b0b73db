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
    /** `config`: a file says what its jobs are; `record`: outside executors report them. Never changes. */
    kind: p.string().$type<'config' | 'record'>(),
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
    failure_reason: p.string().nullable(),
    /** Its ref was protected when it was made. */
    protected: p.boolean(),
    /** Of its configuration, in order. */
    stages: p.array().columnType('text[]'),
    /** `conservative`, `interruptible` or `none`; null is the default. */
    auto_cancel_on_new_commit: p.string().nullable(),
    /** `all` or `none`; null is the default. */
    auto_cancel_on_job_failure: p.string().nullable(),
    /** When the states of its jobs were last worked out. */
    processed_at: timestamp().nullable(),
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

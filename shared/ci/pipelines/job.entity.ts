import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { Runner, RunnerManager } from '../runners/runner.entity.js';
import { JobDefinition } from './job-definition.entity.js';
import { Pipeline } from './pipeline.entity.js';
import { ResourceGroup } from './resource-group.entity.js';

/** One thing to be done for a pipeline, by a runner or by an outside executor that reports it (ci-execution.md 1). */
export const Job = defineEntity({
  name: 'Job',
  tableName: 'jobs',
  properties: {
    id: id(),
    project_id: relation(Project),
    pipeline_id: relation(Pipeline),
    /** `build`: a runner does it; `status`: an outside executor reports it. */
    kind: p.string().$type<'build' | 'status'>(),
    name: p.string(),
    stage: p.string(),
    /** Position of its stage in the pipeline's, counted from 0; null for what is reported. */
    stage_index: p.smallint().nullable(),
    status: p.string(),
    /** When it starts: `on_success`, `on_failure`, `always`, `manual` or `delayed`; null for what is reported. */
    when: p.string().nullable(),
    /** It waits for the jobs that it needs, maybe none, and not for the stages before its own. */
    needs_jobs: p.boolean(),
    /** Its failure does not fail the pipeline. */
    allow_failure: p.boolean(),
    /** A newer job with the same name replaced it. */
    retried: p.boolean(),
    /** Seconds that a delayed job waits once it could start. */
    start_in: p.integer().nullable(),
    /** When a delayed job starts. */
    scheduled_at: timestamp().nullable(),
    failure_reason: p.string().nullable(),
    exit_code: p.integer().nullable(),
    definition_id: relation(JobDefinition).nullable(),
    /** Who has or had it. */
    runner_id: relation(Runner).nullable(),
    runner_manager_id: relation(RunnerManager).nullable(),
    tag_list: p.array().columnType('text[]'),
    /** Its ref was protected when it was made. */
    protected: p.boolean(),
    interruptible: p.boolean(),
    resource_group_id: relation(ResourceGroup).nullable(),
    /** Seconds that it may run: of the file, and of the runner once it has one. */
    timeout: p.integer().nullable(),
    /** How often a runner was given it. */
    handouts: p.smallint(),
    first_log_at: timestamp().nullable(),
    /** The end of its log never arrived. */
    log_incomplete: p.boolean(),
    /** Per cent. */
    coverage: p.float().nullable(),
    /** Where the executor shows it. */
    target_url: p.string().nullable(),
    description: p.string().nullable(),
    /** For whom it runs. */
    user_id: relation(User).nullable(),
    queued_at: timestamp().nullable(),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
    erased_at: timestamp().nullable(),
    erased_by_id: relation(User).nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Job = InferEntity<typeof Job>;

/** A job that another one waits for, by its name in the pipeline, so that it means also a retry of it. */
export const JobNeed = defineEntity({
  name: 'JobNeed',
  tableName: 'job_needs',
  properties: {
    id: id(),
    project_id: relation(Project),
    pipeline_id: relation(Pipeline),
    /** The one that waits. */
    job_id: relation(Job),
    name: p.string(),
    /** Whether it receives the artifacts. */
    artifacts: p.boolean(),
    optional: p.boolean(),
  },
});
export type JobNeed = InferEntity<typeof JobNeed>;

/** A job in the hands of a runner: apart from the job, since each contact writes it. It stays when the job has ended. */
export const JobRun = defineEntity({
  name: 'JobRun',
  tableName: 'job_runs',
  properties: {
    id: id(),
    project_id: relation(Project),
    job_id: relation(Job),
    runner_id: relation(Runner).nullable(),
    runner_manager_id: relation(RunnerManager).nullable(),
    /** HMAC of the job token. */
    token_digest: p.uint8array(),
    handed_out_at: timestamp(),
    /** When the runner confirmed that it has the job; null until then. */
    acknowledged_at: timestamp().nullable(),
    /** Of the last request with its token. */
    contacted_at: timestamp(),
    /** After a cancel the runner still runs `after_script` and reports the end. */
    cancels_gracefully: p.boolean(),
  },
});
export type JobRun = InferEntity<typeof JobRun>;

/** A variable that a user started a manual job with. */
export const ManualJobVariable = defineEntity({
  name: 'ManualJobVariable',
  tableName: 'job_variables',
  properties: {
    id: id(),
    project_id: relation(Project),
    job_id: relation(Job),
    key: p.string(),
    /** Encrypted, bound to `job_variables:<job id>:<key>`. */
    value: p.uint8array(),
  },
});
export type ManualJobVariable = InferEntity<typeof ManualJobVariable>;

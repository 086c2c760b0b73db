import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Job } from '../../ci/pipelines/job.entity.js';
import { Environment } from '../environments/environment.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';

/** One deployment of a commit to an environment. */
export const Deployment = defineEntity({
  name: 'Deployment',
  tableName: 'deployments',
  properties: {
    id: id(),
    project_id: relation(Project),
    /** Its number in the project, never reused. */
    iid: p.integer(),
    environment_id: relation(Environment),
    /** The short name of the branch or tag. */
    ref: p.string(),
    tag: p.boolean(),
    sha: p.string(),
    /** `created`, `blocked`, `running`, `success`, `failed`, `canceled` or `skipped`. */
    status: p.string(),
    user_id: relation(User).nullable(),
    /** The job that made it; null for one made through the API. */
    job_id: relation(Job).nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
    /** When it last became success, failed or canceled. */
    finished_at: timestamp().nullable(),
  },
});
export type Deployment = InferEntity<typeof Deployment>;

/** A deployment with its project, its environment and who made it. */
export interface DeploymentRecord extends Deployment {
  project: ProjectRecord;
  environment: Environment;
  user: UserSummary | null;
}

/** A merge request that a deployment delivered to its environment. */
export const DeploymentMergeRequest = defineEntity({
  name: 'DeploymentMergeRequest',
  tableName: 'deployment_merge_requests',
  properties: {
    deployment_id: relation(Deployment).primary(),
    project_id: reference(),
    environment_id: relation(Environment),
    merge_request_id: reference().primary(),
    linked_at: timestamp(),
  },
});

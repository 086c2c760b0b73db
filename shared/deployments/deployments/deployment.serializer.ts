import { expressionBuilder } from 'kysely';
import { anyOf } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { load } from '../../core/context/loads.js';
import { readAll } from '../../core/database/list.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { findPipelineJobs } from '../../ci/jobs/job.finder.js';
import type { JobRecord } from '../../ci/jobs/job.finder.js';
import { jobSerializer } from '../../ci/jobs/job.serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { approvalFields, approvalLoad } from '../deployment-approvals/deployment-approval.serializer.js';
import { basicEnvironment } from '../environments/environment.serializer.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { DEPLOYMENT_STATUSES } from './deployment-statuses.js';
import type { DeploymentRecord } from './deployment.entity.js';

const onJobs = expressionBuilder<Aliased<DeploymentsDatabase, { j: 'jobs' }>, 'j'>();

/** The jobs that created a page of deployments of one project, with all fields that a job returns. */
const deployables = load(
  (deployment: Readonly<DeploymentRecord>) => deployment.job_id ?? 0,
  async (ctx, deployments): Promise<Map<number, JobRecord>> => {
    const ids = deployments.flatMap(({ job_id: id }) => (id ? [id] : []));
    const [first] = deployments;
    if (ids.length === 0 || !first) return new Map();
    const jobs = await readAll(ctx, findPipelineJobs(first.project, [onJobs('j.id', '=', anyOf(ids, 'bigint'))]));
    await jobSerializer.load(ctx, jobs);
    return new Map(jobs.map((job) => [job.id, job]));
  },
);

/** Without its environment: as the environment itself shows it. */
const fields: Record<string, OutField<DeploymentRecord>> = {
  id: out.integer((deployment) => deployment.id),
  iid: out.integer((deployment) => deployment.iid),
  ref: out.text((deployment) => deployment.ref),
  sha: out.text((deployment) => deployment.sha),
  created_at: out.instant((deployment) => deployment.created_at),
  updated_at: out.instant((deployment) => deployment.updated_at),
  finished_at: out.nullableInstant((deployment) => deployment.finished_at),
  tag: out.boolean((deployment) => deployment.tag),
  status: out.text((deployment) => deployment.status, { enum: DEPLOYMENT_STATUSES }),
  user: out.nullableRecord(userSummary, (deployment) => deployment.user),
  deployable: out.nullableRecord(jobSerializer, (deployment, ctx) => deployables.of(deployment, ctx) ?? null),
};

/** The last deployment of an environment, as that shows it. */
export const deploymentOfEnvironment = serializer<DeploymentRecord>('EnvironmentDeployment', fields, {
  loads: [deployables],
});

/** A deployment in lists (delivery-resources.md section 2); when it finished, and whether of a tag, are supersets. */
export const deploymentSerializer = serializer<DeploymentRecord>(
  'Deployment',
  { ...fields, environment: out.record(basicEnvironment, (deployment) => deployment.environment) },
  { loads: [deployables] },
);

/** One deployment: with what must be approved of it. */
export const deploymentDetails = serializer<DeploymentRecord>(
  'DeploymentDetails',
  {
    ...deploymentSerializer.fields,
    ...approvalFields,
  },
  { loads: [deployables, approvalLoad] },
);

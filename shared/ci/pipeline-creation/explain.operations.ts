import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { policy } from '../../core/operations/policy.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { job } from '../jobs/job.finder.js';
import { pipeline } from '../pipelines/pipeline.finder.js';
import { loadExplanation } from './explanation.js';
import type { JobReasons, PipelineReasons, StoredExplanation } from './explanation.js';

/** Explanations repeat conditions of files, so whoever reads them may read code. */
const explanationPolicy = policy({
  read_explanation: (caller: UserOrAnonymous, { project }: { project: ProjectRecord }) =>
    projectPolicy.read_code(caller, project),
});

async function requireExplanation(ctx: Context, pipelineId: number): Promise<StoredExplanation> {
  const explanation = await loadExplanation(ctx, pipelineId);
  if (!explanation) throw new NotFound('Explanation');
  return explanation;
}

/** Explain why a pipeline has its jobs, and why others were left out. Explanations are kept for 30 days. */
export const explainPipeline = operation({
  name: 'explainPipeline',
  summary: 'Explain the jobs of a pipeline',
  resource: pipeline,
  can: can(explanationPolicy, 'read_explanation'),
  authentication: 'open',
  kind: 'read',
  statements: 5,
  async run(ctx, found): Promise<PipelineReasons> {
    return { pipeline_id: found.id, ...(await requireExplanation(ctx, found.id)) };
  },
});

/** Explain why a job is in its pipeline. */
export const explainJob = operation({
  name: 'explainJob',
  summary: 'Explain a job',
  resource: job,
  can: can(explanationPolicy, 'read_explanation'),
  authentication: 'open',
  kind: 'read',
  statements: 5,
  async run(ctx, { id, name, pipeline_id }): Promise<JobReasons> {
    const { jobs, shortened } = await requireExplanation(ctx, pipeline_id);
    const found = jobs.find((one) => one.name === name);
    if (!found) throw new NotFound('Explanation');
    return { job_id: id, pipeline_id, name, explanation: found.explanation, shortened };
  },
});

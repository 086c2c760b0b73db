import type { SignedInContext } from '../../core/context/context.js';
import { boolean, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { roleIn } from '../../core/operations/policy.js';
import { Forbidden, Invalid } from '../../core/values/errors.js';
import { getQueuedStatus } from '../job-states/job-readiness.js';
import { isPlayable, isRetryable } from '../job-states/status-predicates.js';
import { enqueueJobs } from '../job-queue/enqueue-jobs.js';
import { findJob, job } from '../jobs/job.finder.js';
import type { JobRecord } from '../jobs/job.finder.js';
import { Job } from '../pipelines/job.entity.js';
import { maySetPipelineVariables } from '../pipelines/pipeline.policy.js';
import { ensurePipelineRef } from '../pipelines/pipeline-refs.js';
import { syncPipeline } from '../pipelines/pipeline-progress.js';
import { cancelPipelineJobs } from '../processing/cancel-jobs.js';
import { insertRetries } from '../processing/insert-retries.js';
import { processPipeline } from '../processing/process-pipeline.js';
import { jobPolicy, requireCancelRole } from './action-rights.js';
import { lockJob, reopenFollowers } from './job-restart.js';
import { checkJobVariables, playParams, saveJobVariables } from './job-variables.js';
import { cancelReportedJobs } from './reported-jobs.js';

/** Cancel a job. One that is over stays as it is. */
export const cancelPipelineJob = operation({
  name: 'cancelPipelineJob',
  summary: 'Cancel a job',
  resource: job,
  can: can(jobPolicy, 'update_job'),
  kind: 'write',
  params: {
    force: withDefault(boolean(), false).describe('Ends a job at once that is being canceled; for Maintainers.'),
  },
  async run(ctx, found, { force }) {
    const locked = await lockJob(ctx, found);
    await requireCancelRole(ctx, found.project);
    if (force && !roleIn(ctx.caller, found.project, 'maintainer')) throw new Forbidden();
    if (locked.kind === 'build')
      await cancelPipelineJobs(ctx, [locked.id], { force: force && locked.status === 'canceling' });
    else await cancelReportedJobs(ctx, locked.pipeline_id, [locked.id]);
    await (locked.pipeline.kind === 'config' ? processPipeline : syncPipeline)(ctx, locked.pipeline_id);
    return findJob(ctx, found.project, locked.id);
  },
});

const hasResource = ({ resource_group_id: id }: JobRecord) => typeof id === 'number';

/** Have a job that is over done again, as a new job. */
export const retryPipelineJob = operation({
  name: 'retryPipelineJob',
  summary: 'Retry a job',
  resource: job,
  can: can(jobPolicy, 'update_job'),
  kind: 'write',
  statements: 21,
  async run(ctx, found) {
    const locked = await lockJob(ctx, found);
    const canRetry = locked.kind === 'build' && !locked.retried && isRetryable(locked.status);
    if (!canRetry) throw new Forbidden('Job is not retryable');
    const [retried] = await insertRetries(ctx, [
      { id: locked.id, user_id: ctx.caller.user.id, status: getQueuedStatus(hasResource(locked)) },
    ]);
    if (!retried) throw new Forbidden('Job is not retryable: what it consists of cannot be read');
    // After everything that may refuse it: no rollback takes back what git wrote.
    if (!(await ensurePipelineRef(ctx, locked.pipeline, locked.pipeline_id)))
      throw new Forbidden('Job is not retryable');
    await reopenFollowers(ctx, locked.pipeline_id, [locked.name]);
    await processPipeline(ctx, locked.pipeline_id);
    return findJob(ctx, found.project, retried.id);
  },
});

/** Starts a job that waits for a user or for its time, as one of the caller. */
async function startJob(ctx: SignedInContext, waiting: JobRecord): Promise<void> {
  const now = ctx.clock.now();
  const status = getQueuedStatus(hasResource(waiting));
  await ctx.em.nativeUpdate(
    Job,
    { id: waiting.id },
    {
      status,
      user_id: ctx.caller.user.id,
      scheduled_at: null,
      queued_at: status === 'pending' ? now : null,
      updated_at: now,
    },
  );
  if (status === 'pending') await enqueueJobs(ctx, [waiting.id]);
}

/** Start a manual or delayed job now. */
export const playPipelineJob = operation({
  name: 'playPipelineJob',
  summary: 'Start a manual job',
  resource: job,
  can: can(jobPolicy, 'update_job'),
  kind: 'write',
  statements: 19,
  params: playParams,
  async run(ctx, found, { job_variables_attributes: variables = [] }) {
    const locked = await lockJob(ctx, found);
    if (variables.length > 0 && !maySetPipelineVariables(ctx.caller, found.project)) throw new Forbidden();
    // Before the ref of its pipeline is written, which no rollback takes back.
    checkJobVariables(variables);
    const canPlay = locked.kind === 'build' && !locked.retried && isPlayable(locked.status);
    if (!canPlay || !(await ensurePipelineRef(ctx, locked.pipeline, locked.pipeline_id)))
      throw new Invalid('400 Bad request - Unplayable Job');
    if (variables.length > 0) await saveJobVariables(ctx, locked, variables);
    await startJob(ctx, locked);
    await reopenFollowers(ctx, locked.pipeline_id, [locked.name]);
    await processPipeline(ctx, locked.pipeline_id);
    return findJob(ctx, found.project, locked.id);
  },
});

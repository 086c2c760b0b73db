import type { SignedInContext } from '../../core/context/context.js';
import { can, operation } from '../../core/operations/operation.js';
import { Forbidden } from '../../core/values/errors.js';
import { isAlive, isCancelableJob, isUnsuccessful } from '../job-states/status-predicates.js';
import { findPipeline, pipeline } from '../pipelines/pipeline.finder.js';
import type { PipelineRecord } from '../pipelines/pipeline.finder.js';
import { ensurePipelineRef } from '../pipelines/pipeline-refs.js';
import { pipelinePolicy } from '../pipelines/pipeline.policy.js';
import { requireMovable } from '../pipelines/pipeline-rights.js';
import { cancelPipelineJobs } from '../processing/cancel-jobs.js';
import { insertRetries } from '../processing/insert-retries.js';
import { loadPipelineJobs } from '../processing/load-pipeline-jobs.js';
import { processPipeline } from '../processing/process-pipeline.js';
import { requireCancelRole } from './action-rights.js';
import { reopenFollowers } from './job-restart.js';
import { cancelReportedJobs, cancelReportedPipeline, retryReportedPipeline } from './reported-jobs.js';

/** Has the failed and canceled jobs of a configuration done again, and what follows from them. */
async function retryConfigPipeline(ctx: SignedInContext, found: PipelineRecord): Promise<void> {
  const { configured } = await loadPipelineJobs(ctx, found.id);
  const failed = configured.filter((job) => isUnsuccessful(job.status));
  if (failed.length === 0) return;
  const { id: userId } = ctx.caller.user;
  const retried = await insertRetries(
    ctx,
    failed.map(({ id }) => ({ id, user_id: userId, status: 'created' })),
  );
  if (retried.length === 0) throw new Forbidden('Pipeline is not retryable: what its jobs consist of cannot be read');
  // After everything that may refuse it: no rollback takes back what git wrote.
  if (!(await ensurePipelineRef(ctx, found, found.id))) throw new Forbidden('Pipeline is not retryable');
  await reopenFollowers(
    ctx,
    found.id,
    retried.map(({ name }) => name),
  );
  await processPipeline(ctx, found.id);
}

/** Let a pipeline try again what failed or was canceled. */
export const retryPipeline = operation({
  name: 'retryPipeline',
  summary: 'Retry a pipeline',
  resource: pipeline,
  can: can(pipelinePolicy, 'update_pipeline'),
  kind: 'write',
  async run(ctx, found) {
    await requireMovable(ctx, found);
    await (found.kind === 'config' ? retryConfigPipeline(ctx, found) : retryReportedPipeline(ctx, found));
    return findPipeline(ctx, found.project, found.id);
  },
});

async function cancelConfigPipeline(ctx: SignedInContext, found: PipelineRecord): Promise<void> {
  const { configured } = await loadPipelineJobs(ctx, found.id);
  await cancelPipelineJobs(
    ctx,
    configured.filter((job) => isCancelableJob(job.status)).map(({ id }) => id),
  );
  await cancelReportedJobs(ctx, found.id);
  await processPipeline(ctx, found.id);
}

/**
 * Cancel the unfinished jobs of a pipeline. Executors notice it by the state; having nothing to cancel is not an error.
 */
export const cancelPipeline = operation({
  name: 'cancelPipeline',
  summary: 'Cancel a pipeline',
  resource: pipeline,
  can: can(pipelinePolicy, 'update_pipeline'),
  kind: 'write',
  async run(ctx, found) {
    await requireMovable(ctx, found);
    await requireCancelRole(ctx, found.project);
    if (!isAlive(found.status)) return found;
    await (found.kind === 'config' ? cancelConfigPipeline(ctx, found) : cancelReportedPipeline(ctx, found));
    return findPipeline(ctx, found.project, found.id);
  },
});

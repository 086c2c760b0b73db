import { assignResources, processPipelines, sweepPipelines } from '../../../shared/ci/ci.jobs.js';
import { assignResource } from '../../../shared/ci/processing/assign-resource.js';
import { processPipeline } from '../../../shared/ci/processing/process-pipeline.js';
import { requestMissedProcessing } from '../../../shared/ci/processing/sweep-pipelines.js';
import { handler, logWork } from '../../core/handler.js';

/** Works out the states of the jobs of a pipeline. */
export const processJobs = handler({
  kind: processPipelines,
  batchSize: 20,
  concurrency: 2,
  handle: (ctx, payload) => ctx.transaction(() => processPipeline(ctx, payload.pipeline_id)),
});

/** Lets the next job that waits for a resource have it. */
export const assign = handler({
  kind: assignResources,
  batchSize: 20,
  handle: (ctx, payload) => assignResource(ctx, payload.resource_group_id),
});

/** Has what a crash left behind processed. */
export const sweep = handler({
  kind: sweepPipelines,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await requestMissedProcessing(ctx), 'pipeline.sweep');
  },
});

import { createPushPipelines, tendPipelines } from '../../../shared/ci/ci.jobs.js';
import { makePushPipelines } from '../../../shared/ci/pipeline-creation/create-push-pipelines.js';
import { pruneExplanations } from '../../../shared/ci/pipeline-creation/explanation.js';
import { pruneConfigurations } from '../../../shared/ci/pipeline-creation/find-configurations.js';
import { removeUnusedRefs } from '../../../shared/ci/pipelines/pipeline-refs.js';
import { handler, logWork } from '../../core/handler.js';

/**
 * Makes the pipelines of pushes. The jobs of a batch share its time, and a push of four branches may take two minutes to
 * compile: batches are small, so that a slow push times no other out.
 */
export const pushPipelinesHandler = handler({
  kind: createPushPipelines,
  batchSize: 2,
  concurrency: 4,
  handle: makePushPipelines,
});

/** Removes what pipelines no longer need. */
export const tendPipelinesHandler = handler({
  kind: tendPipelines,
  batchSize: 1,
  async handle(ctx) {
    const refs = await removeUnusedRefs(ctx);
    const explanations = await pruneExplanations(ctx);
    const lookups = await pruneConfigurations(ctx);
    logWork(ctx.log, { refs, explanations, lookups }, 'pipelines.tend');
  },
});

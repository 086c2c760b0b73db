import { createPushPipelines, tendPipelines } from '../../../shared/ci/ci.jobs.js';
import { makePushPipelines } from '../../../shared/ci/pipeline-creation/create-push-pipelines.js';
import { pruneExplanations } from '../../../shared/ci/pipeline-creation/explanation.js';
import { pruneConfigurations } from '../../../shared/ci/pipeline-creation/find-configurations.js';
import { removeUnusedRefs } from '../../../shared/ci/pipelines/pipeline-refs.js';
import { handler, logWork } from '../../core/handler.js';

/** Makes the pipelines of pushes. */
export const pushPipelinesHandler = handler({
  kind: createPushPipelines,
  batchSize: 20,
  concurrency: 2,
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

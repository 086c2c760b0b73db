import { pruneSamples, sampleQueues } from '../../../shared/instance/pg-boss/queue-series.js';
import { sampleJob as kind } from '../../../shared/instance/queue-jobs/queue-job.jobs.js';
import { handler } from '../../core/handler.js';

/** Records the state of the queues, for charts. Several jobs of one minute record it once. */
export const sample = handler({
  kind,
  batchSize: 10,
  async handleBatch(ctx) {
    await ctx.transaction(() => sampleQueues(ctx));
    await ctx.transaction(() => pruneSamples(ctx));
  },
});

import { pruneBulks } from '../../../shared/instance/queue-bulks/do-bulk.js';
import { pruneJobs } from '../../../shared/instance/pg-boss/prune-jobs.js';
import { tendQueueJobs } from '../../../shared/instance/queue-jobs/queue-job.jobs.js';
import { pruneRefusedRequests } from '../../../shared/instance/refused-requests/prune-refused-requests.js';
import { handler, logWork } from '../../core/handler.js';

/** Removes records of old jobs and workers. */
export const tendJobs = handler({
  kind: tendQueueJobs,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await pruneJobs(ctx), 'queue_jobs.tend');
    await ctx.transaction(() => pruneBulks(ctx));
    await ctx.transaction(() => pruneRefusedRequests(ctx));
  },
});

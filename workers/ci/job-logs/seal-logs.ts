import { sealJobLogs, tendJobLogs } from '../../../shared/ci/ci.jobs.js';
import { resendSeals, sealLog } from '../../../shared/ci/job-logs/seal-log.js';
import { handler, logWork } from '../../core/handler.js';

/** Moves logs into the object store. A long log does not hold up others. */
export const sealLogsHandler = handler({
  kind: sealJobLogs,
  batchSize: 5,
  concurrency: 2,
  async handle(ctx, { job_id: jobId }) {
    await sealLog(ctx, jobId);
  },
});

/** Looks for logs that were left unsealed. */
export const tendLogsHandler = handler({
  kind: tendJobLogs,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, { resent: await resendSeals(ctx) }, 'job_logs.tend');
  },
});

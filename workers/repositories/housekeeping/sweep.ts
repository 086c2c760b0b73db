import { sweepAll } from '../../../shared/repositories/housekeeping/sweep-leftovers.js';
import { sweepLeftovers } from '../../../shared/repositories/repositories.jobs.js';
import { handler } from '../../core/handler.js';
import { logWork } from '../../core/log-work.js';

/** Removes what requests and jobs left on disk whose process died. */
export const sweep = handler({
  kind: sweepLeftovers,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await sweepAll(ctx), 'repository.sweep');
  },
});

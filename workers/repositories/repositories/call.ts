import { callInTurn } from '../../../shared/repositories/repositories/call-transfers.js';
import { callTransfers } from '../../../shared/repositories/repositories.jobs.js';
import { handler } from '../../core/handler.js';

/** Calls the transfers whose turn it is. Several calls in a batch find it once: the first calls all. */
export const callOfTransfers = handler({
  kind: callTransfers,
  batchSize: 100,
  async handleBatch(ctx) {
    const called = await callInTurn(ctx);
    if (called > 0) ctx.log.info({ called }, 'repository_transfer.call');
  },
});

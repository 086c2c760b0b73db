import { pruneSpamLogs } from '../../../shared/tenancy/tenancy.jobs.js';
import { removeOldSpamLogs } from '../../../shared/tenancy/spam/tend-spam-logs.js';
import { handler } from '../../core/handler.js';

/** Removes old entries of the spam log. */
export const pruneSpamLogsHandler = handler({
  kind: pruneSpamLogs,
  batchSize: 1,
  async handle(ctx) {
    const removed = await removeOldSpamLogs(ctx);
    if (removed > 0) ctx.log.info({ removed }, 'spam_logs.pruned');
  },
});

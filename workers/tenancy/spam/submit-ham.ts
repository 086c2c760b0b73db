import { submitHam } from '../../../shared/tenancy/tenancy.jobs.js';
import { submitSpamLogAsHam } from '../../../shared/tenancy/spam/tend-spam-logs.js';
import { handler } from '../../core/handler.js';

/** Tells a checker that a text was no spam. */
export const submitHamHandler = handler({
  kind: submitHam,
  batchSize: 5,
  handle: (ctx, { spam_log_id }) => submitSpamLogAsHam(ctx, spam_log_id),
});

import { doBulk } from '../../../shared/instance/queue-bulks/do-bulk.js';
import { bulkJob as kind } from '../../../shared/instance/queue-jobs/queue-job.jobs.js';
import { handler } from '../../core/handler.js';

/** Applies an administrator's bulk action to many jobs; a retry continues after the last completed part. */
export const bulk = handler({
  kind,
  batchSize: 1,
  handle: (ctx, { bulk_id: id }) => doBulk(ctx, id),
});

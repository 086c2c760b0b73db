import { doBulk } from '../../../shared/instance/queue-bulks/do-bulk.js';
import { bulkJob as kind } from '../../../shared/instance/queue-jobs/queue-job.jobs.js';
import { handler } from '../../core/handler.js';

/** Does to many jobs what an administrator asked for; a job that is run again goes on where the last try stood. */
export const bulk = handler({
  kind,
  batchSize: 1,
  handle: (ctx, { bulk_id: id }) => doBulk(ctx, id),
});

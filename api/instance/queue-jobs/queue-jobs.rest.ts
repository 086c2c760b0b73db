import type { Context } from '../../../shared/core/context/context.js';
import { auditEventShape } from '../../../shared/instance/audit-events/audit-event.shape.js';
import {
  cancelJob,
  deleteJob,
  pauseQueue,
  resumeJob,
  resumeQueue,
  retryJob,
  runRecurringJob,
} from '../../../shared/instance/queue-jobs/act.operations.js';
import { actOnManyJobs, cancelBulk, getBulk } from '../../../shared/instance/queue-bulks/bulk.operations.js';
import { bulkAnswerShape, bulkShape } from '../../../shared/instance/queue-bulks/bulk.shape.js';
import {
  jobCountShape,
  jobOverviewShape,
  processShape,
  queueDetailShape,
  queueSeriesShape,
  queueShape,
  recurringShape,
  seriesPointShape,
} from '../../../shared/instance/queues/queue.shape.js';
import { queueJobDetailShape, queueJobShape } from '../../../shared/instance/queue-jobs/job.shape.js';
import {
  countJobsOfSearch,
  followQueues,
  getQueueJob,
  getJobOverview,
  getQueue,
  getQueueStats,
  listJobActions,
  listProcesses,
  listQueues,
  listQueueSeries,
  listRecurringJobs,
  searchJobs,
} from '../../../shared/instance/queue-jobs/read-jobs.operations.js';
import { del, get, post, routes } from '../../core/routes.js';
import { sendEvents } from '../../core/send-events.js';

const sentJob = {
  type: 'object',
  properties: { job_id: { type: 'string', format: 'uuid' } },
  required: ['job_id'],
};

export default routes('/admin/jobs', [
  get('/', searchJobs, { present: queueJobShape, paginate: 'keyset' }),
  get('/count', countJobsOfSearch, { present: jobCountShape }),
  get('/stats', getJobOverview, { present: jobOverviewShape }),
  get('/actions', listJobActions, { present: auditEventShape, paginate: 'keyset' }),
  get('/series', listQueueSeries, { present: queueSeriesShape, paginate: 'none' }),
  get('/events', followQueues, {
    respond: (koa, ctx, feed) => sendEvents(koa, (listener) => feed.join(ctx as Context, listener)),
  }),
  get('/queues', listQueues, { present: queueShape, paginate: 'none' }),
  get('/queues/:queue', getQueue, { present: queueDetailShape }),
  get('/queues/:queue/stats', getQueueStats, { present: seriesPointShape, paginate: 'none' }),
  post('/queues/:queue/pause', pauseQueue, { present: queueDetailShape }),
  post('/queues/:queue/resume', resumeQueue, { present: queueDetailShape }),
  get('/processes', listProcesses, { present: processShape, paginate: 'none' }),
  get('/schedules', listRecurringJobs, { present: recurringShape, paginate: 'none' }),
  post('/schedules/:name/:key/run', runRecurringJob, { schema: sentJob, status: 202 }),
  post('/bulk', actOnManyJobs, {
    present: bulkAnswerShape,
    status: (answer) => ('bulk_id' in answer ? 202 : 200),
  }),
  get('/bulk/:bulk_id', getBulk, { present: bulkShape }),
  post('/bulk/:bulk_id/cancel', cancelBulk, { present: bulkShape }),
  get('/:id', getQueueJob, { present: queueJobDetailShape }),
  del('/:id', deleteJob, { status: 204 }),
  post('/:id/retry', retryJob, { present: queueJobDetailShape }),
  post('/:id/cancel', cancelJob, { present: queueJobDetailShape }),
  post('/:id/resume', resumeJob, { present: queueJobDetailShape }),
]);

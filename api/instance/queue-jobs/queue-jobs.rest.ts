import type { Context } from '../../../shared/core/context/context.js';
import { auditEventSerializer } from '../../../shared/instance/audit-events/audit-event.serializer.js';
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
import { bulkAnswerSerializer, bulkSerializer } from '../../../shared/instance/queue-bulks/bulk.serializer.js';
import {
  jobCountSerializer,
  jobOverviewSerializer,
  processSerializer,
  queueDetailSerializer,
  queueSeriesSerializer,
  queueSerializer,
  recurringSerializer,
  seriesPointSerializer,
} from '../../../shared/instance/queues/queue.serializer.js';
import { queueJobDetailSerializer, queueJobSerializer } from '../../../shared/instance/queue-jobs/job.serializer.js';
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
  get('/', searchJobs, { present: queueJobSerializer, paginate: 'keyset' }),
  get('/count', countJobsOfSearch, { present: jobCountSerializer }),
  get('/stats', getJobOverview, { present: jobOverviewSerializer }),
  get('/actions', listJobActions, { present: auditEventSerializer, paginate: 'keyset' }),
  get('/series', listQueueSeries, { present: queueSeriesSerializer, paginate: 'none' }),
  get('/events', followQueues, {
    respond: (koa, ctx, feed) => sendEvents(koa, (listener) => feed.join(ctx as Context, listener)),
  }),
  get('/queues', listQueues, { present: queueSerializer, paginate: 'none' }),
  get('/queues/:queue', getQueue, { present: queueDetailSerializer }),
  get('/queues/:queue/stats', getQueueStats, { present: seriesPointSerializer, paginate: 'none' }),
  post('/queues/:queue/pause', pauseQueue, { present: queueDetailSerializer }),
  post('/queues/:queue/resume', resumeQueue, { present: queueDetailSerializer }),
  get('/processes', listProcesses, { present: processSerializer, paginate: 'none' }),
  get('/schedules', listRecurringJobs, { present: recurringSerializer, paginate: 'none' }),
  post('/schedules/:name/:key/run', runRecurringJob, { schema: sentJob, status: 202 }),
  post('/bulk', actOnManyJobs, {
    present: bulkAnswerSerializer,
    status: (answer) => ('bulk_id' in answer ? 202 : 200),
  }),
  get('/bulk/:bulk_id', getBulk, { present: bulkSerializer }),
  post('/bulk/:bulk_id/cancel', cancelBulk, { present: bulkSerializer }),
  get('/:id', getQueueJob, { present: queueJobDetailSerializer }),
  del('/:id', deleteJob, { status: 204 }),
  post('/:id/retry', retryJob, { present: queueJobDetailSerializer }),
  post('/:id/cancel', cancelJob, { present: queueJobDetailSerializer }),
  post('/:id/resume', resumeJob, { present: queueJobDetailSerializer }),
]);

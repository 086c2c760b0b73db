import { jobCountShape, jobOverviewShape } from '../../../shared/instance/queue-jobs/job-count.shape.js';
import { jobDetailShape, jobShape } from '../../../shared/instance/queue-jobs/job.shape.js';
import {
  processShape,
  queueDetailShape,
  queueShape,
  recurringShape,
  seriesPointShape,
} from '../../../shared/instance/queue-jobs/queue.shape.js';
import {
  countJobsOfSearch,
  getJob,
  getJobOverview,
  getQueue,
  getQueueStats,
  listProcesses,
  listQueues,
  listRecurringJobs,
  searchJobs,
} from '../../../shared/instance/queue-jobs/read-jobs.operations.js';
import { get, routes } from '../../core/routes.js';

export default routes('/admin/jobs', [
  get('/', searchJobs, { present: jobShape, paginate: 'keyset' }),
  get('/count', countJobsOfSearch, { present: jobCountShape }),
  get('/stats', getJobOverview, { present: jobOverviewShape }),
  get('/queues', listQueues, { present: queueShape, paginate: 'none' }),
  get('/queues/:queue', getQueue, { present: queueDetailShape }),
  get('/queues/:queue/stats', getQueueStats, { present: seriesPointShape, paginate: 'none' }),
  get('/processes', listProcesses, { present: processShape, paginate: 'none' }),
  get('/schedules', listRecurringJobs, { present: recurringShape, paginate: 'none' }),
  get('/:id', getJob, { present: jobDetailShape }),
]);

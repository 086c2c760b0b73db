import { getJobQueue } from '../../../shared/ci/job-waiting/job-waiting.operations.js';
import { waitingJobSerializer } from '../../../shared/ci/job-waiting/job-waiting.serializer.js';
import { get, routes } from '../../core/routes.js';

export const jobWaitingRoutes = routes('/projects/:id/jobs/:job_id', [
  get('/queue', getJobQueue, { present: waitingJobSerializer }),
]);

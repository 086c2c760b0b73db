import {
  cancelPipelineJob,
  playPipelineJob,
  retryPipelineJob,
} from '../../../shared/ci/job-actions/job-action.operations.js';
import {
  getCurrentJob,
  getResourceGroup,
  listResourceGroups,
  listUpcomingJobs,
  resourceGroupSerializer,
  updateResourceGroup,
} from '../../../shared/ci/job-actions/resource-group.operations.js';
import { jobSerializer } from '../../../shared/ci/jobs/job.serializer.js';
import { get, post, put, routes } from '../../core/routes.js';

export const jobActionRoutes = routes('/projects/:id', [
  post('/jobs/:job_id/cancel', cancelPipelineJob, { present: jobSerializer, status: 201 }),
  post('/jobs/:job_id/retry', retryPipelineJob, { present: jobSerializer, status: 201 }),
  post('/jobs/:job_id/play', playPipelineJob, { present: jobSerializer, status: 200 }),
  get('/resource_groups', listResourceGroups, { present: resourceGroupSerializer, paginate: 'offset' }),
  get('/resource_groups/:key', getResourceGroup, { present: resourceGroupSerializer }),
  put('/resource_groups/:key', updateResourceGroup, { present: resourceGroupSerializer }),
  get('/resource_groups/:key/current_job', getCurrentJob, { present: jobSerializer }),
  get('/resource_groups/:key/upcoming_jobs', listUpcomingJobs, { present: jobSerializer, paginate: 'offset' }),
]);

import { getJob, listBridgesOfPipeline, listJobs, listJobsOfPipeline } from '../../../shared/ci/jobs/job.operations.js';
import { jobShape } from '../../../shared/ci/jobs/job.shape.js';
import { get, routes } from '../../core/routes.js';

export default routes('/projects/:id', [
  get('/jobs', listJobs, { present: jobShape, paginate: 'keyset' }),
  get('/jobs/:job_id', getJob, { present: jobShape }),
  get('/pipelines/:pipeline_id/jobs', listJobsOfPipeline, { present: jobShape, paginate: 'offset' }),
  get('/pipelines/:pipeline_id/bridges', listBridgesOfPipeline, { present: jobShape, paginate: 'offset' }),
]);

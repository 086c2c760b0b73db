import {
  listCommitStatuses,
  setCommitStatus,
  commitStatusSerializer,
} from '../../shared/ci/commit-statuses/commit-status.operations.js';
import { containerRoutes, get, post, routes, del, put } from '../core/routes.js';
import { getJob, listBridgesOfPipeline, listJobs, listJobsOfPipeline } from '../../shared/ci/jobs/job.operations.js';
import { jobSerializer } from '../../shared/ci/jobs/job.serializer.js';
import { lintContent, lintProject } from '../../shared/ci/lint/lint.operations.js';
import { lintSerializer } from '../../shared/ci/lint/lint.serializer.js';
import { cancelPipeline, retryPipeline } from '../../shared/ci/job-actions/move-pipeline.js';
import {
  deletePipeline,
  getLatestPipeline,
  getPipeline,
  listPipelineInputs,
  listPipelines,
  listPipelineVariables,
  updatePipelineMetadata,
} from '../../shared/ci/pipelines/pipeline.operations.js';
import {
  basicPipeline,
  fullPipeline,
  pipelineInput,
  pipelineVariable,
} from '../../shared/ci/pipelines/pipeline.serializer.js';
import { ciVariableOperations, instanceVariableOperations } from '../../shared/ci/variables/ci-variable.operations.js';
import { ciVariableSerializer, instanceVariableSerializer } from '../../shared/ci/variables/ci-variable.serializer.js';

export const commitStatusRoutes = routes('/projects/:id', [
  get('/repository/commits/:sha/statuses', listCommitStatuses, { present: commitStatusSerializer, paginate: 'offset' }),
  post('/statuses/:sha', setCommitStatus, { present: commitStatusSerializer, status: 201 }),
]);

export const ciVariableRoutes = [
  ...containerRoutes('/variables', ciVariableOperations, ({ list, get: read, create, update, remove }) => [
    get('/', list, { present: ciVariableSerializer, paginate: 'offset' }),
    post('/', create, { present: ciVariableSerializer, status: 201 }),
    get('/:key', read, { present: ciVariableSerializer }),
    put('/:key', update, { present: ciVariableSerializer }),
    del('/:key', remove, { status: 204 }),
  ]),
  ...routes('/admin/ci/variables', [
    get('/', instanceVariableOperations.list, { present: instanceVariableSerializer, paginate: 'offset' }),
    post('/', instanceVariableOperations.create, { present: instanceVariableSerializer, status: 201 }),
    get('/:key', instanceVariableOperations.get, { present: instanceVariableSerializer }),
    put('/:key', instanceVariableOperations.update, { present: instanceVariableSerializer }),
    del('/:key', instanceVariableOperations.remove, { status: 204 }),
  ]),
];

export const lintRoutes = routes('/projects/:id/ci/lint', [
  get('/', lintProject, { present: lintSerializer }),
  post('/', lintContent, { present: lintSerializer, status: 200 }),
]);

export const jobRoutes = routes('/projects/:id', [
  get('/jobs', listJobs, { present: jobSerializer, paginate: 'keyset' }),
  get('/jobs/:job_id', getJob, { present: jobSerializer }),
  get('/pipelines/:pipeline_id/jobs', listJobsOfPipeline, { present: jobSerializer, paginate: 'offset' }),
  get('/pipelines/:pipeline_id/bridges', listBridgesOfPipeline, { present: jobSerializer, paginate: 'offset' }),
]);

export const pipelineRoutes = routes('/projects/:id', [
  get('/pipelines', listPipelines, { present: basicPipeline, paginate: 'offset' }),
  get('/pipelines/latest', getLatestPipeline, { present: fullPipeline }),
  get('/pipelines/:pipeline_id', getPipeline, { present: fullPipeline }),
  del('/pipelines/:pipeline_id', deletePipeline, { status: 204 }),
  get('/pipelines/:pipeline_id/variables', listPipelineVariables, { present: pipelineVariable, paginate: 'none' }),
  get('/pipelines/:pipeline_id/inputs', listPipelineInputs, { present: pipelineInput, paginate: 'none' }),
  put('/pipelines/:pipeline_id/metadata', updatePipelineMetadata, { present: fullPipeline }),
  post('/pipelines/:pipeline_id/retry', retryPipeline, { present: fullPipeline, status: 201 }),
  // 200, not 201, and also when nothing was left to cancel.
  post('/pipelines/:pipeline_id/cancel', cancelPipeline, { present: fullPipeline }),
]);

import { createPipeline } from '../../../shared/ci/pipelines/create-pipeline.js';
import { cancelPipeline, retryPipeline } from '../../../shared/ci/pipelines/move-pipeline.js';
import {
  deletePipeline,
  getLatestPipeline,
  getPipeline,
  listPipelineInputs,
  listPipelines,
  listPipelineVariables,
  updatePipelineMetadata,
} from '../../../shared/ci/pipelines/pipeline.operations.js';
import {
  basicPipeline,
  fullPipeline,
  pipelineInput,
  pipelineVariable,
} from '../../../shared/ci/pipelines/pipeline.shape.js';
import { del, get, post, put, routes } from '../../core/routes.js';

export default routes('/projects/:id', [
  get('/pipelines', listPipelines, { present: basicPipeline, paginate: 'offset' }),
  post('/pipeline', createPipeline, { present: fullPipeline, status: 201 }),
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

import { get, post, routes } from '../../core/routes.js';
import { createPipeline } from '../../../shared/ci/pipeline-creation/create-pipeline.js';
import { explainJob, explainPipeline } from '../../../shared/ci/pipeline-creation/explain.operations.js';
import { jobReasons, pipelineReasons } from '../../../shared/ci/pipeline-creation/explain.serializer.js';
import { fullPipeline } from '../../../shared/ci/pipelines/pipeline.serializer.js';

export const pipelineCreationRoutes = routes('/projects/:id', [
  post('/pipeline', createPipeline, { present: fullPipeline, status: 201 }),
  get('/pipelines/:pipeline_id/explain', explainPipeline, { present: pipelineReasons }),
  get('/jobs/:job_id/explain', explainJob, { present: jobReasons }),
]);

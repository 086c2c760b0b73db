import { getPipeline, listPipelines } from '../../shared/pipelines/pipeline.operations.js';
import { basicPipeline, fullPipeline } from '../../shared/pipelines/pipeline.shape.js';
import { get, routes } from '../core/routes.js';

export default routes('/projects/:id', [
  get('/pipelines', listPipelines, { present: basicPipeline, paginate: 'offset' }),
  get('/pipelines/:pipeline_id', getPipeline, { present: fullPipeline }),
]);

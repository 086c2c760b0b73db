import {
  createEnvironment,
  deleteEnvironment,
  getEnvironment,
  listEnvironments,
  updateEnvironment,
} from '../../../shared/deployments/environments/environment.operations.js';
import { environmentShape } from '../../../shared/deployments/environments/environment.shape.js';
import { environmentDetails } from '../../../shared/deployments/deployments/environment-details.shape.js';
import { deleteReviewApps, reviewAppRemoval } from '../../../shared/deployments/environment-stops/review-apps.js';
import { stopEnvironment } from '../../../shared/deployments/environment-stops/stop-environment.js';
import { stopStale } from '../../../shared/deployments/environment-stops/stop-stale.js';
import { del, get, post, put, routes } from '../../core/routes.js';

export default routes('/projects/:id/environments', [
  get('/', listEnvironments, { present: environmentShape, paginate: 'offset' }),
  post('/', createEnvironment, { present: environmentShape, status: 201 }),
  post('/stop_stale', stopStale, {
    schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  }),
  // Nothing is scheduled by a dry run.
  del('/review_apps', deleteReviewApps, {
    present: reviewAppRemoval,
    status: ({ dryRun }) => (dryRun ? 200 : 202),
  }),
  get('/:environment_id', getEnvironment, { present: environmentDetails }),
  put('/:environment_id', updateEnvironment, { present: environmentShape }),
  del('/:environment_id', deleteEnvironment, { status: 204 }),
  post('/:environment_id/stop', stopEnvironment, { present: environmentShape }),
]);

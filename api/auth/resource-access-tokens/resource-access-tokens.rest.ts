import { resourceAccessTokenOperations } from '../../../shared/auth/resource-access-tokens/resource-access-token.operations.js';
import {
  newResourceAccessToken,
  resourceAccessTokenShape as record,
} from '../../../shared/auth/resource-access-tokens/resource-access-token.shape.js';
import { containerRoutes } from '../../core/container-routes.js';
import { del, get, post } from '../../core/routes.js';

export default containerRoutes('/access_tokens', resourceAccessTokenOperations, (operations) => [
  get('/', operations.list, { present: record, paginate: 'offset' }),
  post('/', operations.create, { present: newResourceAccessToken, status: 201 }),
  // Before `:token_id`, which would take the word for a malformed id.
  post('/self/rotate', operations.rotateOwn, { present: newResourceAccessToken, status: 200 }),
  get('/:token_id', operations.get, { present: record }),
  del('/:token_id', operations.revoke, { status: 204 }),
  post('/:token_id/rotate', operations.rotate, { present: newResourceAccessToken, status: 200 }),
]);

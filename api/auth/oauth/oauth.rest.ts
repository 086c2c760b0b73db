import {
  createOauthApplication,
  deleteOauthApplication,
  listOauthApplications,
  renewOauthApplicationSecret,
} from '../../../shared/auth/oauth/oauth-application.operations.js';
import { applicationWithSecret, oauthApplicationShape } from '../../../shared/auth/oauth/oauth-application.shape.js';
import { del, get, post, routes } from '../../core/routes.js';

export default routes('/applications', [
  get('/', listOauthApplications, { present: oauthApplicationShape, paginate: 'offset' }),
  post('/', createOauthApplication, { present: applicationWithSecret, status: 201 }),
  del('/:id', deleteOauthApplication, { status: 204 }),
  post('/:id/renew-secret', renewOauthApplicationSecret, { present: applicationWithSecret, status: 201 }),
]);

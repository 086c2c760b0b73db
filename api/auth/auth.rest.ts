import {
  createOwnToken,
  createTokenForUser,
} from '../../shared/auth/personal-access-tokens/create-personal-access-token.js';
import {
  getOwnToken,
  getPersonalAccessToken,
  listPersonalAccessTokens,
  revokeOwnToken,
  revokePersonalAccessToken,
  rotateOwnToken,
  rotatePersonalAccessToken,
} from '../../shared/auth/personal-access-tokens/personal-access-token.operations.js';
import {
  newPersonalAccessToken,
  personalAccessTokenShape,
} from '../../shared/auth/personal-access-tokens/personal-access-token.shape.js';
import { del, get, post, routes, containerRoutes } from '../core/routes.js';
import {
  createImpersonationToken,
  getImpersonationToken,
  listImpersonationTokens,
  revokeImpersonationToken,
  impersonationTokenShape,
  newImpersonationToken,
} from '../../shared/auth/impersonation-tokens/impersonation-token.operations.js';
import { resourceAccessTokenOperations } from '../../shared/auth/resource-access-tokens/resource-access-token.operations.js';
import {
  newResourceAccessToken,
  resourceAccessTokenShape,
} from '../../shared/auth/resource-access-tokens/resource-access-token.shape.js';
import { deployTokenOperations, listDeployTokens } from '../../shared/auth/deploy-tokens/deploy-token.operations.js';
import { deployTokenShape, newDeployToken } from '../../shared/auth/deploy-tokens/deploy-token.shape.js';
import {
  createOauthApplication,
  deleteOauthApplication,
  listOauthApplications,
  renewOauthApplicationSecret,
} from '../../shared/auth/oauth/oauth-application.operations.js';
import { applicationWithSecret, oauthApplicationShape } from '../../shared/auth/oauth/oauth-application.shape.js';

const personalAccessTokenRoutes = routes('', [
  get('/personal_access_tokens', listPersonalAccessTokens, { present: personalAccessTokenShape, paginate: 'offset' }),
  // Before `:id`, which would take the word for a malformed id.
  get('/personal_access_tokens/self', getOwnToken, { present: personalAccessTokenShape }),
  del('/personal_access_tokens/self', revokeOwnToken, { status: 204 }),
  post('/personal_access_tokens/self/rotate', rotateOwnToken, { present: newPersonalAccessToken, status: 200 }),
  get('/personal_access_tokens/:id', getPersonalAccessToken, { present: personalAccessTokenShape }),
  del('/personal_access_tokens/:id', revokePersonalAccessToken, { status: 204 }),
  post('/personal_access_tokens/:id/rotate', rotatePersonalAccessToken, {
    present: newPersonalAccessToken,
    status: 200,
  }),
  post('/user/personal_access_tokens', createOwnToken, { present: newPersonalAccessToken, status: 201 }),
  post('/users/:user_id/personal_access_tokens', createTokenForUser, { present: newPersonalAccessToken, status: 201 }),
]);

const impersonationTokenRoutes = routes('/users/:user_id/impersonation_tokens', [
  get('/', listImpersonationTokens, { present: impersonationTokenShape, paginate: 'offset' }),
  post('/', createImpersonationToken, { present: newImpersonationToken, status: 201 }),
  get('/:impersonation_token_id', getImpersonationToken, { present: impersonationTokenShape }),
  del('/:impersonation_token_id', revokeImpersonationToken, { status: 204 }),
]);

const resourceAccessTokenRoutes = containerRoutes('/access_tokens', resourceAccessTokenOperations, (operations) => [
  get('/', operations.list, { present: resourceAccessTokenShape, paginate: 'offset' }),
  post('/', operations.create, { present: newResourceAccessToken, status: 201 }),
  // Before `:token_id`, which would take the word for a malformed id.
  post('/self/rotate', operations.rotateOwn, { present: newResourceAccessToken, status: 200 }),
  get('/:token_id', operations.get, { present: resourceAccessTokenShape }),
  del('/:token_id', operations.revoke, { status: 204 }),
  post('/:token_id/rotate', operations.rotate, { present: newResourceAccessToken, status: 200 }),
]);

const deployTokenRoutes = [
  get('/deploy_tokens', listDeployTokens, { present: deployTokenShape, paginate: 'offset' }),
  ...containerRoutes('/deploy_tokens', deployTokenOperations, (operations) => [
    get('/', operations.list, { present: deployTokenShape, paginate: 'offset' }),
    post('/', operations.create, { present: newDeployToken, status: 201 }),
    get('/:token_id', operations.get, { present: deployTokenShape }),
    del('/:token_id', operations.remove, { status: 204 }),
    post('/:token_id/revoke', operations.revoke, { present: deployTokenShape, status: 201 }),
  ]),
];

const oauthRoutes = routes('/applications', [
  get('/', listOauthApplications, { present: oauthApplicationShape, paginate: 'offset' }),
  post('/', createOauthApplication, { present: applicationWithSecret, status: 201 }),
  del('/:id', deleteOauthApplication, { status: 204 }),
  post('/:id/renew-secret', renewOauthApplicationSecret, { present: applicationWithSecret, status: 201 }),
]);

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
  personalAccessTokenSerializer,
} from '../../shared/auth/personal-access-tokens/personal-access-token.serializer.js';
import { del, get, post, routes, containerRoutes } from '../core/routes.js';
import {
  createImpersonationToken,
  getImpersonationToken,
  listImpersonationTokens,
  revokeImpersonationToken,
  impersonationTokenSerializer,
  newImpersonationToken,
} from '../../shared/auth/impersonation-tokens/impersonation-token.operations.js';
import { resourceAccessTokenOperations } from '../../shared/auth/resource-access-tokens/resource-access-token.operations.js';
import {
  newResourceAccessToken,
  resourceAccessTokenSerializer,
} from '../../shared/auth/resource-access-tokens/resource-access-token.serializer.js';
import { deployTokenOperations, listDeployTokens } from '../../shared/auth/deploy-tokens/deploy-token.operations.js';
import { deployTokenSerializer, newDeployToken } from '../../shared/auth/deploy-tokens/deploy-token.serializer.js';
import {
  createOauthApplication,
  deleteOauthApplication,
  listOauthApplications,
  renewOauthApplicationSecret,
} from '../../shared/auth/oauth/oauth-application.operations.js';
import {
  applicationWithSecret,
  oauthApplicationSerializer,
} from '../../shared/auth/oauth/oauth-application.serializer.js';

export const personalAccessTokenRoutes = routes('', [
  get('/personal_access_tokens', listPersonalAccessTokens, {
    present: personalAccessTokenSerializer,
    paginate: 'offset',
  }),
  // Before `:id`, which would take the word for a malformed id.
  get('/personal_access_tokens/self', getOwnToken, { present: personalAccessTokenSerializer }),
  del('/personal_access_tokens/self', revokeOwnToken, { status: 204 }),
  post('/personal_access_tokens/self/rotate', rotateOwnToken, { present: newPersonalAccessToken, status: 200 }),
  get('/personal_access_tokens/:id', getPersonalAccessToken, { present: personalAccessTokenSerializer }),
  del('/personal_access_tokens/:id', revokePersonalAccessToken, { status: 204 }),
  post('/personal_access_tokens/:id/rotate', rotatePersonalAccessToken, {
    present: newPersonalAccessToken,
    status: 200,
  }),
  post('/user/personal_access_tokens', createOwnToken, { present: newPersonalAccessToken, status: 201 }),
  post('/users/:user_id/personal_access_tokens', createTokenForUser, { present: newPersonalAccessToken, status: 201 }),
]);

export const impersonationTokenRoutes = routes('/users/:user_id/impersonation_tokens', [
  get('/', listImpersonationTokens, { present: impersonationTokenSerializer, paginate: 'offset' }),
  post('/', createImpersonationToken, { present: newImpersonationToken, status: 201 }),
  get('/:impersonation_token_id', getImpersonationToken, { present: impersonationTokenSerializer }),
  del('/:impersonation_token_id', revokeImpersonationToken, { status: 204 }),
]);

export const resourceAccessTokenRoutes = containerRoutes(
  '/access_tokens',
  resourceAccessTokenOperations,
  (operations) => [
    get('/', operations.list, { present: resourceAccessTokenSerializer, paginate: 'offset' }),
    post('/', operations.create, { present: newResourceAccessToken, status: 201 }),
    // Before `:token_id`, which would take the word for a malformed id.
    post('/self/rotate', operations.rotateOwn, { present: newResourceAccessToken, status: 200 }),
    get('/:token_id', operations.get, { present: resourceAccessTokenSerializer }),
    del('/:token_id', operations.revoke, { status: 204 }),
    post('/:token_id/rotate', operations.rotate, { present: newResourceAccessToken, status: 200 }),
  ],
);

export const deployTokenRoutes = [
  get('/deploy_tokens', listDeployTokens, { present: deployTokenSerializer, paginate: 'offset' }),
  ...containerRoutes('/deploy_tokens', deployTokenOperations, (operations) => [
    get('/', operations.list, { present: deployTokenSerializer, paginate: 'offset' }),
    post('/', operations.create, { present: newDeployToken, status: 201 }),
    get('/:token_id', operations.get, { present: deployTokenSerializer }),
    del('/:token_id', operations.remove, { status: 204 }),
    post('/:token_id/revoke', operations.revoke, { present: deployTokenSerializer, status: 201 }),
  ]),
];

export const oauthRoutes = routes('/applications', [
  get('/', listOauthApplications, { present: oauthApplicationSerializer, paginate: 'offset' }),
  post('/', createOauthApplication, { present: applicationWithSecret, status: 201 }),
  del('/:id', deleteOauthApplication, { status: 204 }),
  post('/:id/renew-secret', renewOauthApplicationSecret, { present: applicationWithSecret, status: 201 }),
]);

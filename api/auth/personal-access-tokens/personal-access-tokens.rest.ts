import {
  createOwnToken,
  createTokenForUser,
} from '../../../shared/auth/personal-access-tokens/create-personal-access-token.js';
import {
  getOwnToken,
  getPersonalAccessToken,
  listPersonalAccessTokens,
  revokeOwnToken,
  revokePersonalAccessToken,
  rotateOwnToken,
  rotatePersonalAccessToken,
} from '../../../shared/auth/personal-access-tokens/personal-access-token.operations.js';
import {
  newPersonalAccessToken,
  personalAccessTokenShape as record,
} from '../../../shared/auth/personal-access-tokens/personal-access-token.shape.js';
import { del, get, post, routes } from '../../core/routes.js';

export default routes('', [
  get('/personal_access_tokens', listPersonalAccessTokens, { present: record, paginate: 'offset' }),
  // Before `:id`, which would take the word for a malformed id.
  get('/personal_access_tokens/self', getOwnToken, { present: record }),
  del('/personal_access_tokens/self', revokeOwnToken, { status: 204 }),
  post('/personal_access_tokens/self/rotate', rotateOwnToken, { present: newPersonalAccessToken, status: 200 }),
  get('/personal_access_tokens/:id', getPersonalAccessToken, { present: record }),
  del('/personal_access_tokens/:id', revokePersonalAccessToken, { status: 204 }),
  post('/personal_access_tokens/:id/rotate', rotatePersonalAccessToken, {
    present: newPersonalAccessToken,
    status: 200,
  }),
  post('/user/personal_access_tokens', createOwnToken, { present: newPersonalAccessToken, status: 201 }),
  post('/users/:user_id/personal_access_tokens', createTokenForUser, { present: newPersonalAccessToken, status: 201 }),
]);

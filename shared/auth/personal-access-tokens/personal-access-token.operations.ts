import { Unauthenticated } from '../../core/values/errors.js';
import { integer, optional } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { TOKEN_SCOPES } from './create-token.js';
import { tokenConditions, tokenFilterParams, tokenOrder } from './personal-access-token.filters.js';
import {
  onTokens,
  ownToken,
  personalAccessToken,
  visiblePersonalAccessTokens,
} from './personal-access-token.finder.js';
import { personalAccessTokenPolicy } from './personal-access-token.policy.js';
import { revokeToken } from './revoke-tokens.js';
import { rotateParams, rotateToken } from './rotate-token.js';

/** List tokens: one's own, for administrators everybody's. */
export const listPersonalAccessTokens = operation({
  name: 'listPersonalAccessTokens',
  summary: 'List personal access tokens',
  resource: instance,
  kind: 'read',
  statements: 3,
  params: { user_id: optional(integer()).describe('ID of the user to whom the tokens belong.'), ...tokenFilterParams },
  run(ctx, _instance, input) {
    if (input.user_id !== undefined && input.user_id !== ctx.caller.id && !ctx.caller.admin)
      throw new Unauthenticated();
    const where = input.user_id === undefined ? [] : [onTokens('t.user_id', '=', input.user_id)];
    return Promise.resolve({
      ...visiblePersonalAccessTokens(ctx, [...where, ...tokenConditions(ctx, input)]),
      order: tokenOrder(input.sort),
    });
  },
});

/** Read one token, without the token itself. */
export const getPersonalAccessToken = operation({
  name: 'getPersonalAccessToken',
  summary: 'Read a personal access token',
  resource: personalAccessToken,
  kind: 'read',
  statements: 2,
  run: (_ctx, token) => Promise.resolve(token),
});

/** Read the token that the request is sent with: any scope suffices for a token to look at itself. */
export const getOwnToken = operation({
  name: 'getOwnToken',
  summary: 'Read the token in use',
  resource: ownToken,
  kind: 'read',
  scopes: TOKEN_SCOPES,
  statements: 2,
  run: (_ctx, token) => Promise.resolve(token),
});

/** Revoke a token: it is refused from the next request on. */
export const revokePersonalAccessToken = operation({
  name: 'revokePersonalAccessToken',
  summary: 'Revoke a personal access token',
  resource: personalAccessToken,
  can: can(personalAccessTokenPolicy, 'revoke_personal_access_token'),
  kind: 'write',
  conditional: true,
  run: revokeToken,
});

/** Revoke the token that the request is sent with, whatever its scopes. */
export const revokeOwnToken = operation({
  name: 'revokeOwnToken',
  summary: 'Revoke the token in use',
  resource: ownToken,
  kind: 'write',
  scopes: TOKEN_SCOPES,
  conditional: true,
  run: revokeToken,
});

/** Rotate a token: revokes it and creates its successor, which only this response shows. */
export const rotatePersonalAccessToken = operation({
  name: 'rotatePersonalAccessToken',
  summary: 'Rotate a personal access token',
  resource: personalAccessToken,
  can: can(personalAccessTokenPolicy, 'rotate_personal_access_token'),
  kind: 'write',
  rotates: true,
  params: rotateParams,
  run: (ctx, token, input) => rotateToken(ctx, token, input.expires_at),
});

/** Rotate the token that the request is sent with: a scope of its own suffices. */
export const rotateOwnToken = operation({
  name: 'rotateOwnToken',
  summary: 'Rotate the token in use',
  resource: ownToken,
  kind: 'write',
  scopes: ['api', 'self_rotate'],
  rotates: true,
  params: rotateParams,
  run: (ctx, token, input) => rotateToken(ctx, token, input.expires_at),
});

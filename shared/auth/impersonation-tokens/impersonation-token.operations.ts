import { optional, oneOf } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { recordRevoked } from '../personal-access-tokens/record-tokens.js';
import { createToken } from '../personal-access-tokens/create-personal-access-token.js';
import { tokenStateConditions } from '../personal-access-tokens/personal-access-token.filters.js';
import { onTokens } from '../personal-access-tokens/personal-access-token.finder.js';
import { revokeTokens } from '../personal-access-tokens/revoke-tokens.js';
import { newTokenParams } from '../personal-access-tokens/token-values.js';
import { userById } from '../../tenancy/users/user.finder.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { PersonalAccessToken } from '../personal-access-tokens/personal-access-token.entity.js';
import {
  newPersonalAccessToken,
  personalAccessTokenSerializer,
} from '../personal-access-tokens/personal-access-token.serializer.js';
import type { PlainToken } from '../personal-access-tokens/personal-access-token.serializer.js';
import { impersonationToken, findImpersonationTokens } from './impersonation-token.finder.js';

/** List the tokens with which administrators act as a user. Its own user never sees them. */
export const listImpersonationTokens = operation({
  name: 'listImpersonationTokens',
  summary: "List a user's impersonation tokens",
  resource: userById,
  authentication: 'administrator',
  kind: 'read',
  statements: 4,
  params: {
    state: optional(oneOf(['all', 'active', 'inactive'])).describe(
      'Filter by state: `active` tokens can be used, `inactive` tokens cannot; `all` for both.',
    ),
  },
  run: (ctx, user, { state }) =>
    Promise.resolve(findImpersonationTokens(user.id, tokenStateConditions(ctx, state === 'all' ? undefined : state))),
});

/** Read one impersonation token, without the token itself. */
export const getImpersonationToken = operation({
  name: 'getImpersonationToken',
  summary: "Read a user's impersonation token",
  resource: impersonationToken,
  authentication: 'administrator',
  kind: 'read',
  statements: 3,
  run: (_ctx, token) => Promise.resolve(token),
});

/** Create a token for acting as a user. Only this response ever shows it. */
export const createImpersonationToken = operation({
  name: 'createImpersonationToken',
  summary: 'Create an impersonation token',
  resource: userById,
  authentication: 'administrator',
  kind: 'write',
  params: newTokenParams,
  run: (ctx, user, input) => createToken(ctx, user.id, input, { impersonation: true }),
});

/** Revoke an impersonation token. One that is revoked already stays so, without an error. */
export const revokeImpersonationToken = operation({
  name: 'revokeImpersonationToken',
  summary: 'Revoke an impersonation token',
  resource: impersonationToken,
  authentication: 'administrator',
  kind: 'write',
  conditional: true,
  async run(ctx, token) {
    const revoked = await revokeTokens(ctx, onTokens('t.id', '=', token.id));
    await recordRevoked(ctx, revoked);
  },
});

const impersonation = { impersonation: out.boolean<PersonalAccessToken>((token) => token.impersonation) };

/** An impersonation token without its secret: a personal access token plus a field that marks it as such. */
export const impersonationTokenSerializer = serializer<PersonalAccessToken>('ImpersonationToken', {
  ...personalAccessTokenSerializer.fields,
  ...impersonation,
});

/** The only answer that holds the token itself: the one to its creation. */
export const newImpersonationToken = serializer<PlainToken>('NewImpersonationToken', {
  ...newPersonalAccessToken.fields,
  ...impersonation,
});

import { queryOptions } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import type { NewToken } from '../../../data/api.js';
import { ask } from '../../../data/session.js';
import { PER_PAGE } from './token-source.js';
import type { TokenSource } from './token-source.js';

/** Where those signed in by password make tokens of any scope, which the API lets no token do. */
const OWN_TOKENS = '/-/user_settings/personal_access_tokens';

/** The available scopes with descriptions. */
export const scopesQuery = queryOptions({
  queryKey: ['scopes'],
  queryFn: () => ask<{ name: string; description: string }[]>('GET', `${OWN_TOKENS}/scopes`),
  staleTime: Infinity,
});

/** The tokens of a user; only the user can create them here. */
export const ownTokens = (userId: number): TokenSource => ({
  key: ['user', userId],
  list: (state, page) =>
    unwrapPage(
      api.GET('/personal_access_tokens', {
        params: { query: { user_id: userId, state, sort: 'created_desc', per_page: PER_PAGE, page } },
      }),
    ),
  create: (attributes) => ask<NewToken>('POST', OWN_TOKENS, attributes),
  revoke: (id) => unwrap(api.DELETE('/personal_access_tokens/{id}', { params: { path: { id } } })),
  rotate: (id, expiresAt) =>
    unwrap(
      api.POST('/personal_access_tokens/{id}/rotate', {
        params: { path: { id } },
        body: expiresAt === '' ? {} : { expires_at: expiresAt },
      }),
    ),
});

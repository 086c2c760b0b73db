import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, pageTaken, taken } from '../client/api.js';
import type { NewToken, Token } from '../client/api.js';
import { ask } from '../session/session.js';

/** Where those signed in by password make tokens of any scope, which the API lets no token do. */
const OWN_TOKENS = '/-/user_settings/personal_access_tokens';

/** What one may choose from, in words. */
export const scopesQuery = queryOptions({
  queryKey: ['scopes'],
  queryFn: () => ask<{ name: string; description: string }[]>('GET', `${OWN_TOKENS}/scopes`),
  staleTime: Infinity,
});

export type TokenState = 'active' | 'inactive';

const PER_PAGE = 20;

export const tokensQuery = (userId: number, state: TokenState, page: number) =>
  queryOptions({
    queryKey: ['tokens', userId, state, page],
    queryFn: () =>
      pageTaken(
        api.GET('/personal_access_tokens', {
          params: { query: { user_id: userId, state, sort: 'created_desc', per_page: PER_PAGE, page } },
        }),
      ),
  });

export interface WantedToken {
  name: string;
  description?: string;
  scopes: string[];
  expires_at?: string;
}

/** After a change the lists are asked for again. */
function useTokenChange<In, Out>(change: (given: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  });
}

export const useCreateToken = () => useTokenChange((wanted: WantedToken) => ask<NewToken>('POST', OWN_TOKENS, wanted));

export const useRevokeToken = () =>
  useTokenChange(({ id }: Token) => taken(api.DELETE('/personal_access_tokens/{id}', { params: { path: { id } } })));

/** The old token ends, and a new one with the same name and scopes takes its place. */
export const useRotateToken = () =>
  useTokenChange(({ token, expiresAt }: { token: Token; expiresAt: string }) =>
    taken(
      api.POST('/personal_access_tokens/{id}/rotate', {
        params: { path: { id: token.id } },
        body: expiresAt === '' ? {} : { expires_at: expiresAt },
      }),
    ),
  );

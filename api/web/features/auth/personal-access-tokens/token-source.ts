import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { NewToken, Token } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';

export type TokenState = 'active' | 'inactive';

/** A token in a list; tokens of projects and groups have a role. */
export type ListedToken = Token & { access_level?: number | null };

export interface TokenAttributes {
  name: string;
  description?: string;
  scopes: string[];
  expires_at?: string;
  access_level?: number;
}

/** The owner of a page's tokens, with the calls that read and change them. */
export interface TokenSource {
  /** Prefix of the query keys. */
  key: readonly (string | number)[];
  list: (state: TokenState, page: number) => Promise<{ rows: ListedToken[]; next: number | null }>;
  create: (attributes: TokenAttributes) => Promise<NewToken>;
  revoke: (id: number) => Promise<unknown>;
  /** Revokes the old token, and replaces it by a new one with the same name and scopes. */
  rotate: (id: number, expiresAt: string) => Promise<NewToken>;
}

export const PER_PAGE = 20;

export const tokensQuery = (source: TokenSource, state: TokenState, page: number) =>
  queryOptions({
    queryKey: ['tokens', ...source.key, state, page],
    queryFn: () => source.list(state, page),
  });

/** After a change the lists are refetched. */
function useTokenChange<In, Out>(change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      // The home page displays expiring tokens.
      void queries.invalidateQueries({ queryKey: ['session'] });
      return queries.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
}

export const useCreateToken = ({ create }: TokenSource) => useTokenChange(create);

export const useRevokeToken = ({ revoke }: TokenSource) => useTokenChange(({ id }: ListedToken) => revoke(id));

export const useRotateToken = ({ rotate }: TokenSource) =>
  useTokenChange(({ token, expiresAt }: { token: ListedToken; expiresAt: string }) => rotate(token.id, expiresAt));

/** A token that was just made: the only time that it is there to be seen. */
export interface TokenSecret {
  name: string;
  token: string;
}

import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { NewToken, Token } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';

export type TokenState = 'active' | 'inactive';

/** A token as lists show it; those of projects and groups have a role. */
export type ListedToken = Token & { access_level?: number | null };

export interface TokenAttributes {
  name: string;
  description?: string;
  scopes: string[];
  expires_at?: string;
  access_level?: number;
}

/** Whose tokens a page is about: how they are read and changed. */
export interface TokenSource {
  /** Begins the keys of what is asked for. */
  key: readonly (string | number)[];
  list: (state: TokenState, page: number) => Promise<{ rows: ListedToken[]; next: number | null }>;
  create: (attributes: TokenAttributes) => Promise<NewToken>;
  revoke: (id: number) => Promise<unknown>;
  /** The old token ends, and a new one with the same name and scopes takes its place. */
  rotate: (id: number, expiresAt: string) => Promise<NewToken>;
}

export const PER_PAGE = 20;

export const tokensQuery = (source: TokenSource, state: TokenState, page: number) =>
  queryOptions({
    queryKey: ['tokens', ...source.key, state, page],
    queryFn: () => source.list(state, page),
  });

/** After a change the lists are asked for again. */
function useTokenChange<In, Out>(change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      // Home tells of those that end.
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

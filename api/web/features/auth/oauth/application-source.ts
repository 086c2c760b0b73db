import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { useMutation } from '../../../data/mutation.js';

export type Application = Schemas['OauthApplication'] & { scopes?: string[] };
export type NewApplication = Schemas['OauthApplicationWithSecret'];
type ApplicationAttributes = Schemas['CreateOauthApplicationBody'];

/** The source of applications: those of the instance, or the user's own. */
export interface ApplicationSource {
  key: readonly unknown[];
  list: (page: number) => Promise<{ rows: Application[]; next: number | null }>;
  create: (attributes: ApplicationAttributes) => Promise<NewApplication>;
  renew: (id: number) => Promise<NewApplication>;
  remove: (id: number) => Promise<unknown>;
}

export const applicationsQuery = (source: ApplicationSource, page: number) =>
  queryOptions({ queryKey: ['applications', ...source.key, page], queryFn: () => source.list(page) });

/** After a change the lists are refetched. */
export function useApplicationChange<In, Out>(change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['applications'] }),
  });
}

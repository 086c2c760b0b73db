import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { useListChange } from '../../../data/list-change.js';

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

export const useApplicationChange = <In, Out>(change: (variables: In) => Promise<Out>) =>
  useListChange(['applications'], change);

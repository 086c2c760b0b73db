import type { Container } from '../../../data/containers.js';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { UseQueryOptions } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { groupQuery, projectQuery } from '../../../data/containers.js';
import type { Values } from './values.js';

/** The container's record as cached by other pages, with values by the names of settings. */
export const recordQuery = ({ kind, path }: Container) =>
  (kind === 'project' ? projectQuery(path) : groupQuery(path)) as unknown as UseQueryOptions<Values>;

const OWNER = 50;

/** Whether a user is Owner of a project, directly or by inheritance. */
export const ownsProjectQuery = (projectId: number, userId: number) =>
  queryOptions({
    queryKey: ['project_role', projectId, userId],
    queryFn: async () => {
      const { data } = await api.GET('/projects/{id}/members/all/{user_id}', {
        params: { path: { id: String(projectId), user_id: userId } },
      });
      return (data?.access_level ?? 0) >= OWNER;
    },
  });

const byId = (id: number) => ({ params: { path: { id: String(id) } } });

/** Sends changed settings, and answers the record as it then is. */
export const saveSettings =
  (kind: Container['kind'], id: number) =>
  (changes: Values): Promise<Values> => {
    const response =
      kind === 'project'
        ? unwrap(api.PUT('/projects/{id}', { ...byId(id), body: changes as never }))
        : unwrap(api.PUT('/groups/{id}', { ...byId(id), body: changes as never }));
    return response as Promise<unknown> as Promise<Values>;
  };

/** Actions on a project or group as a whole. */
export type Step = 'archive' | 'unarchive' | 'delete' | 'delete now' | 'restore' | { to: string };

function stepOfProject(id: number, path: string, step: Step): Promise<unknown> {
  if (typeof step === 'object')
    return unwrap(api.PUT('/projects/{id}/transfer', { ...byId(id), body: { namespace: step.to } }));
  switch (step) {
    case 'archive':
      return unwrap(api.POST('/projects/{id}/archive', byId(id)));
    case 'unarchive':
      return unwrap(api.POST('/projects/{id}/unarchive', byId(id)));
    case 'restore':
      return unwrap(api.POST('/projects/{id}/restore', byId(id)));
    case 'delete':
      return unwrap(api.DELETE('/projects/{id}', byId(id)));
    case 'delete now':
      return unwrap(
        api.DELETE('/projects/{id}', {
          params: { path: { id: String(id) }, query: { permanently_remove: true, full_path: path } },
        }),
      );
  }
}

function stepOfGroup(id: number, path: string, step: Step): Promise<unknown> {
  if (typeof step === 'object') {
    const body = step.to === '' ? {} : { group_id: Number(step.to) };
    return unwrap(api.POST('/groups/{id}/transfer', { ...byId(id), body }));
  }
  switch (step) {
    case 'archive':
      return unwrap(api.POST('/groups/{id}/archive', byId(id)));
    case 'unarchive':
      return unwrap(api.POST('/groups/{id}/unarchive', byId(id)));
    case 'restore':
      return unwrap(api.POST('/groups/{id}/restore', byId(id)));
    case 'delete':
      return unwrap(api.DELETE('/groups/{id}', byId(id)));
    case 'delete now':
      return unwrap(
        api.DELETE('/groups/{id}', {
          params: { path: { id: String(id) }, query: { permanently_remove: true, full_path: path } },
        }),
      );
  }
}

/** Whether nothing is at its address then: a deleted project gives its path free, a group stays until it is removed. */
export const leaves = (kind: Container['kind'], step: Step): boolean =>
  typeof step === 'object' || step === 'delete now' || (step === 'delete' && kind === 'project');

/** Performs an action; then the cached data of the project or group is refetched. */
export function useStep({ kind, path }: Container, id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (step: Step) => (kind === 'project' ? stepOfProject(id, path, step) : stepOfGroup(id, path, step)),
    // A record that has left its address is not refetched there.
    onSuccess: (_done, step) =>
      queries.invalidateQueries({ queryKey: [kind], refetchType: leaves(kind, step) ? 'none' : 'active' }),
  });
}

/** Possible targets of a transfer: the first matching groups. */
export const transferLocationsQuery = ({ kind }: Container, id: number, search: string) =>
  queryOptions({
    queryKey: ['transfer_locations', kind, id, search],
    queryFn: async () => {
      const params = { path: { id: String(id) }, query: { per_page: 100, ...(search === '' ? {} : { search }) } };
      const page =
        kind === 'project'
          ? await unwrapPage(api.GET('/projects/{id}/transfer_locations', { params }))
          : await unwrapPage(api.GET('/groups/{id}/transfer_locations', { params }));
      return page.rows as readonly { id: number; full_path: string }[];
    },
  });

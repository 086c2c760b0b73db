import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, taken } from '../client/api.js';

export type Mirror = Schemas['ProjectMirror'];

/** How often it is looked at, while an update is under way and otherwise. */
const SOON_MS = 3_000;
const REFRESH_MS = 15_000;

export const underWay = ({ update_status: status }: Mirror): boolean => status === 'scheduled' || status === 'started';

export const mirrorQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['mirror', projectId],
    queryFn: () => taken(api.GET('/projects/{id}/mirror/pull', { params: { path: { id: projectId } } })),
    refetchInterval: ({ state: { data } }) => (data && underWay(data) ? SOON_MS : REFRESH_MS),
  });

/** Asks for an update out of turn. */
export function useUpdateMirror(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => taken(api.POST('/projects/{id}/mirror/pull', { params: { path: { id: projectId } } })),
    onSuccess: (mirror) => queries.setQueryData(mirrorQuery(projectId).queryKey, mirror),
  });
}

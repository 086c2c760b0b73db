import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';

export type Mirror = Schemas['ProjectMirror'];

export const underWay = ({ update_status: status }: Mirror): boolean => status === 'scheduled' || status === 'started';

/** Queries that are refetched when the mirror of a project progresses. */
export const getLiveQueries = (projectId: string) => ({ project_mirrors: [mirrorQuery(projectId).queryKey] });

export const mirrorQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['mirror', projectId],
    queryFn: () => unwrap(api.GET('/projects/{id}/mirror/pull', { params: { path: { id: projectId } } })),
  });

/** Requests an update outside the regular interval. */
export function useUpdateMirror(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(api.POST('/projects/{id}/mirror/pull', { params: { path: { id: projectId } } })),
    onSuccess: (mirror) => queries.setQueryData(mirrorQuery(projectId).queryKey, mirror),
  });
}

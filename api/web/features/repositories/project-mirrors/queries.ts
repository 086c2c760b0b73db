import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';

export type Mirror = Schemas['ProjectMirror'];

export const underWay = ({ update_status: status }: Mirror): boolean => status === 'scheduled' || status === 'started';

/** What is asked for anew where the mirror of a project moved on. */
export const liveQueriesOf = (projectId: string) => ({ project_mirrors: [mirrorQuery(projectId).queryKey] });

export const mirrorQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['mirror', projectId],
    queryFn: () => unwrap(api.GET('/projects/{id}/mirror/pull', { params: { path: { id: projectId } } })),
  });

/** Asks for an update out of turn. */
export function useUpdateMirror(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(api.POST('/projects/{id}/mirror/pull', { params: { path: { id: projectId } } })),
    onSuccess: (mirror) => queries.setQueryData(mirrorQuery(projectId).queryKey, mirror),
  });
}

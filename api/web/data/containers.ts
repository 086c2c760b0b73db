import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './api.js';
import type { Project } from './api.js';

/** A project or group. */
export interface Container {
  kind: 'project' | 'group';
  path: string;
}

/** Rows of a page of each list. */
export const PER_PAGE = 20;

export const projectQuery = (path: string) =>
  queryOptions({
    queryKey: ['project', path],
    queryFn: () => unwrap(api.GET('/projects/{id}', { params: { path: { id: path } } })) as Promise<Project>,
  });

/** The direct or inherited role of a user in a group; 0 for none. */
export const roleInGroupQuery = (groupId: string, userId: number) =>
  queryOptions({
    queryKey: ['group_role', groupId, userId],
    queryFn: async () => {
      const { data } = await api.GET('/groups/{id}/members/all/{user_id}', {
        params: { path: { id: groupId, user_id: userId } },
      });
      return data?.access_level ?? 0;
    },
  });

export const groupQuery = (path: string) =>
  queryOptions({
    queryKey: ['group', path],
    queryFn: () => unwrap(api.GET('/groups/{id}', { params: { path: { id: path }, query: { with_projects: false } } })),
  });

/** Parameters of the event stream for the pages of a project or group. */
export const liveParams = ({ kind, path }: Container): Record<string, string> => ({ [kind]: path });

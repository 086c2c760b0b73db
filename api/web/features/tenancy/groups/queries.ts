import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrapPage } from '../../../data/api.js';
import { gql, graphql } from '../../../data/graphql.js';

const PER_PAGE = 20;

export type Group = Schemas['Group'];
/** What all lists of projects show. */
export type ListedProject = Schemas['BasicProject'];

const searched = (search: string) => (search === '' ? {} : { search });

/** The projects directly in a group. */
export const projectsOfGroupQuery = (path: string, search: string, page: number) =>
  queryOptions({
    queryKey: ['group', path, 'projects', search, page],
    queryFn: () =>
      unwrapPage<ListedProject[]>(
        api.GET('/groups/{id}/projects', {
          params: {
            path: { id: path },
            query: { page, per_page: PER_PAGE, order_by: 'last_activity_at', simple: true, ...searched(search) },
          },
        }),
      ),
  });

/** The first groups directly in a group; `next` where there are more. */
export const subgroupsQuery = (path: string) =>
  queryOptions({
    queryKey: ['group', path, 'subgroups'],
    queryFn: () =>
      unwrapPage(api.GET('/groups/{id}/subgroups', { params: { path: { id: path }, query: { per_page: 100 } } })),
  });

/** The projects that the user is a member of. */
export const ownProjectsQuery = (search: string, page: number) =>
  queryOptions({
    queryKey: ['own projects', search, page],
    queryFn: () =>
      unwrapPage<ListedProject[]>(
        api.GET('/projects', {
          params: {
            query: {
              membership: true,
              simple: true,
              order_by: 'last_activity_at',
              page,
              per_page: PER_PAGE,
              ...searched(search),
            },
          },
        }),
      ),
  });

/** The groups that the user belongs to. */
export const ownGroupsQuery = (search: string, page: number) =>
  queryOptions({
    queryKey: ['own groups', search, page],
    queryFn: () =>
      unwrapPage(
        api.GET('/groups', {
          params: { query: { min_access_level: 10, page, per_page: PER_PAGE, ...searched(search) } },
        }),
      ),
  });

/** The projects in a user's personal namespace. */
export const projectsOfUserQuery = (username: string, page: number) =>
  queryOptions({
    queryKey: ['user', username, 'projects', page],
    queryFn: () =>
      unwrapPage<ListedProject[]>(
        api.GET('/users/{user_id}/projects', {
          params: { path: { user_id: username }, query: { page, per_page: PER_PAGE, simple: true } },
        }),
      ),
  });

const MAY_MAKE = gql(/* GraphQL */ `
  query GroupPermissions($path: ID!) {
    group(fullPath: $path) {
      userPermissions {
        createProjects
        createSubgroup
      }
    }
  }
`);

/** The records that the caller may create in a group. */
export const mayMakeQuery = (path: string) =>
  queryOptions({
    queryKey: ['group', path, 'may make'],
    queryFn: async () => (await graphql(MAY_MAKE, { path })).group?.userPermissions ?? null,
  });

import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { gql, graphql } from '../../../data/graphql.js';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem } from '../../../data/problem.js';

export type User = Schemas['User'];
type UserAttributes = Schemas['CreateUserBody'];
export type UserEdit = Schemas['UpdateUserBody'];

/** What runs here. */
export const metadataQuery = queryOptions({ queryKey: ['metadata'], queryFn: () => unwrap(api.GET('/metadata')) });

const PER_PAGE = 20;
const ADMIN = 'admin';

/** Which users a list shows. */
export const USER_FILTERS = {
  all: {},
  active: { active: true, humans: true },
  blocked: { blocked: true },
  administrators: { admins: true },
  external: { external: true },
} as const;

export type UserFilter = keyof typeof USER_FILTERS;

export const usersQuery = (filter: UserFilter, search: string, page: number) =>
  queryOptions({
    queryKey: [ADMIN, 'users', filter, search, page],
    queryFn: () =>
      unwrapPage(
        api.GET('/users', {
          params: {
            query: { ...USER_FILTERS[filter], page, per_page: PER_PAGE, ...(search === '' ? {} : { search }) },
          },
        }),
      ) as Promise<{ rows: User[]; next: number | null }>,
  });

/** One user with all that administrators see. */
export const userQuery = (username: string) =>
  queryOptions({
    queryKey: [ADMIN, 'user', username],
    queryFn: async (): Promise<User> => {
      const [found] = await unwrap(api.GET('/users', { params: { query: { username } } }));
      if (!found) throw new ApiProblem('404 User Not Found', 404, null);
      return unwrap(api.GET('/users/{id}', { params: { path: { id: found.id } } }));
    },
  });

const PATHS = gql(/* GraphQL */ `
  query MembershipPaths($groups: [ID!], $projects: [ID!]) {
    groups(ids: $groups, first: 100) {
      nodes {
        id
        fullPath
      }
    }
    projects(ids: $projects, first: 100) {
      nodes {
        id
        fullPath
      }
    }
  }
`);

interface Membership {
  source_id: number;
  source_type: string;
}

/** The pages of the groups and projects that a user is a member of, by kind and id. */
async function getPages(memberships: readonly Membership[]): Promise<Map<string, string>> {
  type Found = { nodes: { id: string; fullPath: string }[] } | null;
  if (memberships.length === 0) return new Map();
  const getIds = (kind: string) =>
    memberships.flatMap(({ source_type: type, source_id: id }) =>
      (type === 'Project') === (kind === 'Project') ? [`gid://service/${kind}/${id}`] : [],
    );
  const variables = { groups: getIds('Group'), projects: getIds('Project') };
  const { groups, projects } = await graphql(PATHS, variables);
  const entries = (kind: string, before: string, found: Found) =>
    (found?.nodes ?? []).map(
      ({ id, fullPath }) => [`${kind} ${id.split('/').at(-1)}`, `${before}${fullPath}`] as const,
    );
  return new Map([...entries('Group', '/groups/', groups), ...entries('Project', '/', projects)]);
}

/** A page of a user's memberships, each with the address of its page if that is found. */
export const membershipsQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: [ADMIN, 'memberships', id, page],
    queryFn: async () => {
      const found = await unwrapPage(
        api.GET('/users/{id}/memberships', { params: { path: { id }, query: { page, per_page: PER_PAGE } } }),
      );
      const pages = await getPages(found.rows);
      const getPage = ({ source_type: type, source_id: source }: Membership) =>
        pages.get(`${type === 'Project' ? 'Project' : 'Group'} ${source}`) ?? null;
      return { ...found, rows: found.rows.map((row) => ({ ...row, path: getPage(row) })) };
    },
  });

/** How many users, groups and projects there are; null for more than the API counts. */
export const countsQuery = queryOptions({
  queryKey: [ADMIN, 'counts'],
  queryFn: async () => {
    const one = { per_page: 1 };
    const [people, blocked, groups, projects, schedules] = await Promise.all([
      unwrapPage(api.GET('/users', { params: { query: { ...USER_FILTERS.active, ...one } } })),
      unwrapPage(api.GET('/users', { params: { query: { ...USER_FILTERS.blocked, ...one } } })),
      unwrapPage(api.GET('/groups', { params: { query: { all_available: true, ...one } } })),
      unwrapPage(api.GET('/projects', { params: { query: { simple: true, ...one } } })),
      unwrapPage(api.GET('/pipeline_schedules', { params: { query: { ...one } } })),
    ]);
    return {
      people: people.total,
      blocked: blocked.total,
      groups: groups.total,
      projects: projects.total,
      schedules: schedules.total,
    };
  },
});

export const allGroupsQuery = (search: string, page: number) =>
  queryOptions({
    queryKey: [ADMIN, 'groups', search, page],
    queryFn: () =>
      unwrapPage(
        api.GET('/groups', {
          params: { query: { all_available: true, page, per_page: PER_PAGE, ...(search === '' ? {} : { search }) } },
        }),
      ),
  });

/** After a change, the queries of the administration pages are refetched. */
function useChange<In, Out>(change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey: [ADMIN] }) });
}

export const useCreateUser = () => useChange((body: UserAttributes) => unwrap(api.POST('/users', { body })));

export const useEditUser = (id: number) =>
  useChange((body: UserEdit) => unwrap(api.PUT('/users/{id}', { params: { path: { id } }, body })));

export type UserMove = 'block' | 'unblock' | 'deactivate' | 'activate' | 'ban' | 'unban' | 'approve' | 'reject';

export const useMoveUser = (id: number) =>
  useChange((move: UserMove): Promise<unknown> =>
    unwrap(api.POST(`/users/{id}/${move}`, { params: { path: { id } } })),
  );

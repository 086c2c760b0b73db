import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, pageTaken, taken } from '../client/api.js';
import { ApiProblem } from '../client/problem.js';

export type User = Schemas['User'];
type WantedUser = Schemas['CreateUserBody'];
type UserEdit = Schemas['UpdateUserBody'];

/** What runs here. */
export const metadataQuery = queryOptions({ queryKey: ['metadata'], queryFn: () => taken(api.GET('/metadata')) });

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
      pageTaken(
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
      const [found] = await taken(api.GET('/users', { params: { query: { username } } }));
      if (!found) throw new ApiProblem('404 User Not Found', 404, null);
      return taken(api.GET('/users/{id}', { params: { path: { id: found.id } } }));
    },
  });

export const membershipsQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: [ADMIN, 'memberships', id, page],
    queryFn: () =>
      pageTaken(api.GET('/users/{id}/memberships', { params: { path: { id }, query: { page, per_page: PER_PAGE } } })),
  });

export const allGroupsQuery = (search: string, page: number) =>
  queryOptions({
    queryKey: [ADMIN, 'groups', search, page],
    queryFn: () =>
      pageTaken(
        api.GET('/groups', {
          params: { query: { all_available: true, page, per_page: PER_PAGE, ...(search === '' ? {} : { search }) } },
        }),
      ),
  });

/** After a change what administrators look at is asked for again. */
function useChange<In, Out>(change: (given: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey: [ADMIN] }) });
}

export const useCreateUser = () => useChange((body: WantedUser) => taken(api.POST('/users', { body })));

export const useEditUser = (id: number) =>
  useChange((body: UserEdit) => taken(api.PUT('/users/{id}', { params: { path: { id } }, body })));

export type UserMove = 'block' | 'unblock' | 'deactivate' | 'activate' | 'ban' | 'unban' | 'approve' | 'reject';

export const useMoveUser = (id: number) =>
  useChange((move: UserMove): Promise<unknown> => taken(api.POST(`/users/{id}/${move}`, { params: { path: { id } } })));

import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { PER_PAGE } from '../../../data/containers.js';
import { granteeEntries, roleOf } from './entries.js';
import type { Admission, Grantee } from './entries.js';

const ofProject = (id: string, page: number) => ({ params: { path: { id }, query: { per_page: PER_PAGE, page } } });

export const protectedBranchesQuery = (projectId: string, page: number) =>
  queryOptions({
    queryKey: ['protected_branches', projectId, page],
    queryFn: () => unwrapPage(api.GET('/projects/{id}/protected_branches', ofProject(projectId, page))),
  });

export const protectedTagsQuery = (projectId: string, page: number) =>
  queryOptions({
    queryKey: ['protected_tags', projectId, page],
    queryFn: () => unwrapPage(api.GET('/projects/{id}/protected_tags', ofProject(projectId, page))),
  });

/** So many of each kind are offered. */
export const OFFERED = 100;

/** Members, groups and deploy keys with push access: the possible grantees of the project's rules. */
export const candidatesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['deploy_keys', projectId, 'candidates'],
    queryFn: async (): Promise<Grantee[]> => {
      const path = { id: projectId };
      const [members, groups, keys] = await Promise.all([
        unwrap(api.GET('/projects/{id}/members/all', { params: { path, query: { per_page: OFFERED } } })),
        unwrap(api.GET('/projects/{id}/groups', { params: { path, query: { with_shared: true, per_page: OFFERED } } })),
        unwrap(api.GET('/projects/{id}/deploy_keys', { params: { path, query: { per_page: OFFERED } } })),
      ]);
      return [
        ...members.map(({ id, name, username }) => ({ by: 'user_id' as const, id, label: `${name} (${username})` })),
        ...groups.map(({ id, full_path: fullPath }) => ({ by: 'group_id' as const, id, label: fullPath })),
        ...keys
          .filter(({ can_push: canPush }) => canPush)
          .map(({ id, title }) => ({ by: 'deploy_key_id' as const, id, label: title })),
      ];
    },
  });

/** After a change the list is refetched. */
function useChange<In, Out>(list: string, change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: [list] }),
  });
}

export interface BranchRuleAttributes {
  name: string;
  push: Admission;
  merge: Admission;
  allow_force_push: boolean;
}

export const useProtectBranch = (id: string) =>
  useChange('protected_branches', ({ name, push, merge, allow_force_push }: BranchRuleAttributes) =>
    unwrap(
      api.POST('/projects/{id}/protected_branches', {
        params: { path: { id } },
        body: {
          name,
          allow_force_push,
          push_access_level: roleOf(push),
          merge_access_level: roleOf(merge),
          allowed_to_push: granteeEntries(push),
          allowed_to_merge: granteeEntries(merge),
        },
      }),
    ),
  );

export const useEditBranchRule = (id: string, name: string) =>
  useChange('protected_branches', (body: { allow_force_push: boolean }) =>
    unwrap(api.PATCH('/projects/{id}/protected_branches/{name}', { params: { path: { id, name } }, body })),
  );

export const useUnprotectBranch = (id: string) =>
  useChange('protected_branches', (name: string) =>
    unwrap(api.DELETE('/projects/{id}/protected_branches/{name}', { params: { path: { id, name } } })),
  );

export interface TagRuleAttributes {
  name: string;
  create: Admission;
}

export const useProtectTag = (id: string) =>
  useChange('protected_tags', ({ name, create }: TagRuleAttributes) =>
    unwrap(
      api.POST('/projects/{id}/protected_tags', {
        params: { path: { id } },
        body: { name, create_access_level: roleOf(create), allowed_to_create: granteeEntries(create) },
      }),
    ),
  );

export const useUnprotectTag = (id: string) =>
  useChange('protected_tags', (name: string) =>
    unwrap(api.DELETE('/projects/{id}/protected_tags/{name}', { params: { path: { id, name } } })),
  );

import { queryOptions } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { useListChange } from '../../../data/list-change.js';
import { PER_PAGE } from '../../../data/containers.js';
import { granteeEntries, getRole } from './entries.js';
import type { Grantee, RefRuleAttributes } from './entries.js';

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

export const protectBranch =
  (id: string) =>
  ({ name, admissions, values }: RefRuleAttributes<'push' | 'merge'>) =>
    unwrap(
      api.POST('/projects/{id}/protected_branches', {
        params: { path: { id } },
        body: {
          name,
          allow_force_push: values.has('allow_force_push'),
          push_access_level: getRole(admissions.push),
          merge_access_level: getRole(admissions.merge),
          allowed_to_push: granteeEntries(admissions.push),
          allowed_to_merge: granteeEntries(admissions.merge),
        },
      }),
    );

export const useEditBranchRule = (id: string, name: string) =>
  useListChange(['protected_branches'], (body: { allow_force_push: boolean }) =>
    unwrap(api.PATCH('/projects/{id}/protected_branches/{name}', { params: { path: { id, name } }, body })),
  );

export const unprotectBranch = (id: string) => (name: string) =>
  unwrap(api.DELETE('/projects/{id}/protected_branches/{name}', { params: { path: { id, name } } }));

export const protectTag =
  (id: string) =>
  ({ name, admissions: { create } }: RefRuleAttributes<'create'>) =>
    unwrap(
      api.POST('/projects/{id}/protected_tags', {
        params: { path: { id } },
        body: { name, create_access_level: getRole(create), allowed_to_create: granteeEntries(create) },
      }),
    );

export const unprotectTag = (id: string) => (name: string) =>
  unwrap(api.DELETE('/projects/{id}/protected_tags/{name}', { params: { path: { id, name } } }));

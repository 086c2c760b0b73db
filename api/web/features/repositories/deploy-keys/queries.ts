import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { PER_PAGE } from '../../../data/containers.js';

export const deployKeysQuery = (projectId: string, page: number) =>
  queryOptions({
    queryKey: ['deploy_keys', projectId, page],
    queryFn: () =>
      unwrapPage(
        api.GET('/projects/{id}/deploy_keys', {
          params: { path: { id: projectId }, query: { per_page: PER_PAGE, page } },
        }),
      ),
  });

export interface DeployKeyAttributes {
  title: string;
  key: string;
  can_push: boolean;
  expires_at?: string;
}

/** After a change the lists are refetched, including protection rules, which reference keys. */
function useChange<In, Out>(change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all(
        ['deploy_keys', 'protected_branches', 'protected_tags'].map((list) =>
          queries.invalidateQueries({ queryKey: [list] }),
        ),
      ),
  });
}

export const useAddDeployKey = (projectId: string) =>
  useChange((body: DeployKeyAttributes) =>
    unwrap(api.POST('/projects/{id}/deploy_keys', { params: { path: { id: projectId } }, body })),
  );

export const useEditDeployKey = (projectId: string, keyId: number) =>
  useChange((body: { title: string; can_push: boolean }) =>
    unwrap(
      api.PUT('/projects/{id}/deploy_keys/{key_id}', { params: { path: { id: projectId, key_id: keyId } }, body }),
    ),
  );

export const useRemoveDeployKey = (projectId: string) =>
  useChange((keyId: number) =>
    unwrap(api.DELETE('/projects/{id}/deploy_keys/{key_id}', { params: { path: { id: projectId, key_id: keyId } } })),
  );

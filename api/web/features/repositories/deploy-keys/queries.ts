import { queryOptions } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { useListChange } from '../../../data/list-change.js';
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

interface DeployKeyAttributes {
  title: string;
  key: string;
  can_push: boolean;
  expires_at?: string;
}

/** Protection rules name keys. */
const LISTS = ['deploy_keys', 'protected_branches', 'protected_tags'];

export const useAddDeployKey = (projectId: string) =>
  useListChange(LISTS, (body: DeployKeyAttributes) =>
    unwrap(api.POST('/projects/{id}/deploy_keys', { params: { path: { id: projectId } }, body })),
  );

export const useEditDeployKey = (projectId: string, keyId: number) =>
  useListChange(LISTS, (body: { title: string; can_push: boolean }) =>
    unwrap(
      api.PUT('/projects/{id}/deploy_keys/{key_id}', { params: { path: { id: projectId, key_id: keyId } }, body }),
    ),
  );

export const useRemoveDeployKey = (projectId: string) =>
  useListChange(LISTS, (keyId: number) =>
    unwrap(api.DELETE('/projects/{id}/deploy_keys/{key_id}', { params: { path: { id: projectId, key_id: keyId } } })),
  );

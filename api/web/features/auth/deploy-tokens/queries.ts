import { queryOptions } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import type { DeployToken, NewDeployToken } from '../../../data/api.js';
import { useListChange } from '../../../data/list-change.js';
import { PER_PAGE } from '../../../data/containers.js';

/** The project or group with the tokens. */
export interface TokenContainer {
  kind: 'project' | 'group';
  id: string;
}

/** Descriptions of the token scopes, in the order of the API. */
const SCOPES = [
  ['read_repository', 'Clone and fetch the repository.'],
  ['read_registry', 'Pull container images.'],
  ['write_registry', 'Push container images.'],
  ['read_package_registry', 'Download packages.'],
  ['write_package_registry', 'Upload packages.'],
  ['read_virtual_registry', 'No effect: this instance has no virtual registries.'],
  ['write_virtual_registry', 'No effect: this instance has no virtual registries.'],
] as const;

export type DeployScope = (typeof SCOPES)[number][0];

/** Tokens of groups have no scopes for virtual registries. */
export const getScopes = ({ kind }: TokenContainer) =>
  SCOPES.filter(([name]) => kind === 'project' || !name.endsWith('_virtual_registry')).map(([value, description]) => ({
    value,
    description,
  }));

export const deployTokensQuery = ({ kind, id }: TokenContainer, page: number) =>
  queryOptions({
    queryKey: ['deploy_tokens', kind, id, page],
    queryFn: () => {
      const params = { params: { path: { id }, query: { per_page: PER_PAGE, page } } };
      return unwrapPage<DeployToken[]>(
        kind === 'project'
          ? api.GET('/projects/{id}/deploy_tokens', params)
          : api.GET('/groups/{id}/deploy_tokens', params),
      );
    },
  });

interface DeployTokenAttributes {
  name: string;
  scopes: DeployScope[];
  username?: string;
  expires_at?: string;
}

const LISTS = ['deploy_tokens'];

export const useCreateDeployToken = ({ kind, id }: TokenContainer) =>
  useListChange(LISTS, (attributes: DeployTokenAttributes) => {
    const params = { path: { id } };
    return unwrap<NewDeployToken>(
      kind === 'project'
        ? api.POST('/projects/{id}/deploy_tokens', { params, body: attributes })
        : api.POST('/groups/{id}/deploy_tokens', { params, body: attributes as never }),
    );
  });

export type TokenEnd = 'revoke' | 'delete';

/** Revoked tokens stay in the list, for the record; deleted ones are gone. */
export const useEndDeployToken = ({ kind, id }: TokenContainer) =>
  useListChange(LISTS, async ({ token, end }: { token: DeployToken; end: TokenEnd }): Promise<void> => {
    const params = { params: { path: { id, token_id: token.id } } };
    if (kind === 'project')
      await (end === 'revoke'
        ? unwrap(api.POST('/projects/{id}/deploy_tokens/{token_id}/revoke', params))
        : unwrap(api.DELETE('/projects/{id}/deploy_tokens/{token_id}', params)));
    else
      await (end === 'revoke'
        ? unwrap(api.POST('/groups/{id}/deploy_tokens/{token_id}/revoke', params))
        : unwrap(api.DELETE('/groups/{id}/deploy_tokens/{token_id}', params)));
  });

import type { Schemas } from '#api';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import type { NewToken } from '../../../data/api.js';
import { PER_PAGE } from '../personal-access-tokens/index.js';
import type { ListedToken, TokenSource, TokenAttributes } from '../personal-access-tokens/index.js';

/** The project or group with the tokens. */
export interface TokenContainer {
  kind: 'project' | 'group';
  path: string;
}

type Body = Schemas['CreateProjectAccessTokenBody'];
type Scope = Body['scopes'][number];

/** Descriptions of the scopes of tokens that act as a bot, in the order of the API. */
const SCOPES: Readonly<Record<Scope, string>> = {
  api: 'Read and write everything, within the role.',
  read_api: 'Read everything, within the role.',
  read_repository: 'Clone and fetch the repository.',
  write_repository: 'Clone, fetch and push the repository.',
  read_registry: 'Pull container images.',
  write_registry: 'Pull and push container images.',
  read_virtual_registry: 'Read from virtual registries.',
  write_virtual_registry: 'Read from and write to virtual registries.',
  create_runner: 'Create runners.',
  manage_runner: 'Manage runners.',
  ai_features: 'Use AI features.',
  k8s_proxy: 'Access Kubernetes clusters through the proxy.',
  self_rotate: 'Rotate this token.',
};

export const SCOPE_CHOICES = Object.entries(SCOPES).map(([value, description]) => ({ value, description }));

const body = (attributes: TokenAttributes) => attributes as unknown as Body;

/** The tokens of a project or group. */
export function getTokens({ kind, path }: TokenContainer): TokenSource {
  const one = (id: number) => ({ params: { path: { id: path, token_id: id } } });
  const ends = (expiresAt: string) => ({ body: expiresAt === '' ? {} : { expires_at: expiresAt } });
  const params = { path: { id: path } };
  return {
    key: [kind, path],
    list: (state, page) => {
      const listed = {
        params: { ...params, query: { state, sort: 'created_desc', per_page: PER_PAGE, page } as const },
      };
      return unwrapPage<ListedToken[]>(
        kind === 'project'
          ? api.GET('/projects/{id}/access_tokens', listed)
          : api.GET('/groups/{id}/access_tokens', listed),
      );
    },
    create: (attributes) =>
      unwrap<NewToken>(
        kind === 'project'
          ? api.POST('/projects/{id}/access_tokens', { params, body: body(attributes) })
          : api.POST('/groups/{id}/access_tokens', { params, body: body(attributes) }),
      ),
    revoke: (id): Promise<unknown> =>
      kind === 'project'
        ? unwrap(api.DELETE('/projects/{id}/access_tokens/{token_id}', one(id)))
        : unwrap(api.DELETE('/groups/{id}/access_tokens/{token_id}', one(id))),
    rotate: (id, expiresAt) =>
      unwrap<NewToken>(
        kind === 'project'
          ? api.POST('/projects/{id}/access_tokens/{token_id}/rotate', { ...one(id), ...ends(expiresAt) })
          : api.POST('/groups/{id}/access_tokens/{token_id}/rotate', { ...one(id), ...ends(expiresAt) }),
      ),
  };
}

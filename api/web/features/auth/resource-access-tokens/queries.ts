import type { Schemas } from '#api';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import type { NewToken } from '../../../data/api.js';
import { PER_PAGE } from '../personal-access-tokens/index.js';
import type { ListedToken, TokenSource, TokenAttributes } from '../personal-access-tokens/index.js';

/** What has the tokens. */
export interface TokenContainer {
  kind: 'project' | 'group';
  path: string;
}

type Body = Schemas['CreateProjectAccessTokenBody'];
type Scope = Body['scopes'][number];

/** Descriptions of the scopes of tokens that act as a bot, in the order of the API. */
const SCOPES: Readonly<Record<Scope, string>> = {
  api: 'Reads and changes everything that its role allows.',
  read_api: 'Reads everything that its role allows.',
  read_repository: 'Clones and fetches the code.',
  write_repository: 'Clones, fetches and pushes the code.',
  read_registry: 'Pulls container images.',
  write_registry: 'Pulls and pushes container images.',
  read_virtual_registry: 'Pulls through virtual registries.',
  write_virtual_registry: 'Pulls through virtual registries and writes to them.',
  create_runner: 'Creates runners.',
  manage_runner: 'Manages runners.',
  ai_features: 'Uses AI features.',
  k8s_proxy: 'Reaches clusters through the proxy.',
  self_rotate: 'Replaces itself.',
};

export const SCOPE_CHOICES = Object.entries(SCOPES).map(([value, description]) => ({ value, description }));

const body = (attributes: TokenAttributes) => attributes as unknown as Body;

/** The tokens of a project or group. */
export function tokensOf({ kind, path }: TokenContainer): TokenSource {
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

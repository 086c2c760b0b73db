import type { ContainerKind } from '../../../shared/core/operations/container.js';
import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

/** A project or a group that has deploy tokens. */
export interface TestContainer {
  kind: ContainerKind;
  id: number;
  owner: BuiltUser;
  /** Of its tokens: `/projects/7/deploy_tokens`. */
  path: string;
}

export const KINDS: readonly ContainerKind[] = ['project', 'group'];

/** A new private project or group, or one of that visibility. */
export async function createContainer(
  app: TestApp,
  kind: ContainerKind,
  visibility = 'private',
): Promise<TestContainer> {
  const container =
    kind === 'project' ? await app.build.project({ empty: true, visibility }) : await app.build.group({ visibility });
  return { kind, id: container.id, owner: container.owner, path: `/${kind}s/${container.id}/deploy_tokens` };
}

/** A deploy token as the answer to its creation shows it. */
export interface CreatedToken {
  id: number;
  name: string;
  username: string;
  token: string;
  scopes: string[];
  expires_at: string | null;
}

/** A deploy token of a container, created by its owner. */
export async function tokenIn(
  app: TestApp,
  { owner, path }: TestContainer,
  attributes: Record<string, unknown> = {},
): Promise<CreatedToken> {
  const { status, body } = await app
    .as(owner)
    .post(path, { name: 'Release', scopes: ['read_repository'], ...attributes });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as CreatedToken;
}

import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Client } from '../../core/client.js';

export const KINDS = ['project', 'group', 'instance'] as const;
export type OwnerKind = (typeof KINDS)[number];

/** A project, a group, or the instance, with a client that may change its variables. */
export interface TestOwner {
  kind: OwnerKind;
  id: number;
  owner: BuiltUser;
  client: Client;
  /** Of its variables: `/projects/7/variables`. */
  path: string;
}

/** A new private project or group, or one of that visibility; of the instance there is only one. */
export async function createOwner(app: TestApp, kind: OwnerKind, visibility = 'private'): Promise<TestOwner> {
  if (kind === 'instance') {
    const owner = await app.build.admin();
    return { kind, id: 0, owner, client: app.as(owner), path: '/admin/ci/variables' };
  }
  const { id, owner } =
    kind === 'project' ? await app.build.project({ empty: true, visibility }) : await app.build.group({ visibility });
  return { kind, id, owner, client: app.as(owner), path: `/${kind}s/${id}/variables` };
}

/** A variable that was created; throws where it was refused. */
export async function createVariable(
  { client, path }: Pick<TestOwner, 'client' | 'path'>,
  attributes: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { status, body, text } = await client.post(path, attributes);
  if (status !== 201) throw new Error(`${status} ${text}`);
  return body as Record<string, unknown>;
}

/** The address of a variable, chosen by its scope. */
export const inScope = (path: string, scope: string) =>
  `${path}?filter[environment_scope]=${encodeURIComponent(scope)}`;

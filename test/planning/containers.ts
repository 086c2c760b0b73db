import type { ContainerKind } from '../../shared/core/operations/container.js';
import type { TestApp } from '../core/app.js';
import type { BuiltUser } from '../core/builders.js';
import type { Sandbox } from '../core/sandbox.js';

/** A project or a group that has labels, or milestones. */
export interface TestContainer {
  kind: ContainerKind;
  id: number;
  owner: BuiltUser;
  /** Of what it has: `/projects/7/labels`. */
  path: string;
}

export const KINDS: readonly ContainerKind[] = ['project', 'group'];

/** A new private project or group, or one of that visibility. */
export async function createContainer(
  app: TestApp,
  kind: ContainerKind,
  what: 'labels' | 'milestones',
  visibility = 'private',
): Promise<TestContainer> {
  const container =
    kind === 'project' ? await app.build.project({ empty: true, visibility }) : await app.build.group({ visibility });
  return { kind, id: container.id, owner: container.owner, path: `/${kind}s/${container.id}/${what}` };
}

async function make(app: TestApp, { owner, path }: TestContainer, attributes: object) {
  const { status, body } = await app.as(owner).post(path, attributes);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as { id: number; iid: number; name: string; title: string };
}

/** A label of a container, created by its owner. */
export const labelIn = (
  app: TestApp,
  container: TestContainer,
  attributes: { name: string } & Record<string, unknown>,
) => make(app, container, { color: 'red', ...attributes });

/** A milestone of a container, created by its owner. */
export const milestoneIn = (
  app: TestApp,
  container: TestContainer,
  attributes: { title: string } & Record<string, unknown>,
) => make(app, container, attributes);

/** Moves the project of a walk into its group, in which everybody has the same role. */
export async function intoGroup(sandbox: Sandbox): Promise<void> {
  const { id: namespace } = await sandbox.group();
  await sandbox.app.as(sandbox.people.author).put(`/projects/${sandbox.project.id}/transfer`, { namespace });
}

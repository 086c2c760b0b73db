import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Client } from '../../core/client.js';

/** What runners serve. */
export const RUNNER_KINDS = ['instance', 'group', 'project'] as const;
export type RunnerKind = (typeof RUNNER_KINDS)[number];

export interface TestRunner {
  id: number;
  token: string;
}

/** A runner, and who may change it. */
export interface OwnedRunner extends TestRunner {
  kind: RunnerKind;
  /** Its group or project; 0 for the instance. */
  ownerId: number;
  owner: BuiltUser;
  client: Client;
}

/** Creates a runner; throws where it was refused. */
export async function createRunnerAs(client: Client, attributes: Record<string, unknown>): Promise<TestRunner> {
  const { status, body, text } = await client.post('/user/runners', attributes);
  if (status !== 201) throw new Error(`${status} ${text}`);
  return body as TestRunner;
}

/** A runner of a new private project or group, or of the instance. */
export async function createOwnedRunner(
  app: TestApp,
  kind: RunnerKind,
  attributes: Record<string, unknown> = {},
): Promise<OwnedRunner> {
  const { id, owner } =
    kind === 'instance'
      ? { id: 0, owner: await app.build.admin() }
      : await (kind === 'project' ? app.build.project({ empty: true }) : app.build.group());
  const client = app.as(owner);
  const target = kind === 'instance' ? {} : { [`${kind}_id`]: id };
  const runner = await createRunnerAs(client, { runner_type: `${kind}_type`, ...target, ...attributes });
  return { ...runner, kind, ownerId: id, owner, client };
}

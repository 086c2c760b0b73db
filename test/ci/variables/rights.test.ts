import test from 'ava';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';
import { createOwner, createVariable } from './variable-owners.js';
import type { TestOwner } from './variable-owners.js';

const app = useApp(test);
const ROLES = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'] as const;
const SECRET = 'for-a-few-eyes';

/** Every call, in an order in which each finds what it needs; with the statuses of a caller who may. */
const CALLS: [string, number, (client: Client, path: string) => ReturnType<Client['get']>][] = [
  ['list', 200, (client, path) => client.get(path)],
  ['get', 200, (client, path) => client.get(`${path}/SECRET`)],
  ['create', 201, (client, path) => client.post(path, { key: 'NEW', value: 'v' })],
  ['update', 200, (client, path) => client.put(`${path}/NEW`, { value: 'w' })],
  ['delete', 204, (client, path) => client.delete(`${path}/NEW`)],
];

/** The answers to every call; no refused one shows a value. */
async function walk(client: Client, { path }: TestOwner) {
  const answers = [];
  for (const [, , send] of CALLS) answers.push(await send(client, path));
  return answers;
}

const done = CALLS.map(([, status]) => status);

// Contract: ci-variables.roles
test.serial(
  'Maintainers of a project and Owners of a group read and change variables; lesser roles are 403',
  async (t) => {
    for (const kind of ['project', 'group'] as const) {
      const owner = await createOwner(app, kind);
      await createVariable(owner, { key: 'SECRET', value: SECRET });
      for (const role of ROLES) {
        const member =
          kind === 'project' ? await app.build.member(owner, role) : await app.build.groupMember(owner, role);
        const answers = await walk(app.as(member), owner);
        const statuses = answers.map(({ status }) => status);
        if (role === 'owner' || (role === 'maintainer' && kind === 'project')) {
          t.deepEqual(statuses, done, `${kind} ${role}`);
          continue;
        }
        t.deepEqual(statuses, [403, 403, 403, 403, 403], `${kind} ${role}`);
        for (const { text, body } of answers) {
          t.false(text.includes(SECRET));
          t.deepEqual(body, { message: '403 Forbidden' });
        }
      }
      t.deepEqual(
        (await walk(app.as(await app.build.admin()), owner)).map(({ status }) => status),
        done,
      );
    }
  },
);

// Contract: ci-variables.roles
test.serial('strangers are 404 or 403, whoever has no token is 401, before any parameter is looked at', async (t) => {
  for (const kind of ['project', 'group'] as const)
    for (const visibility of ['private', 'public']) {
      const owner = await createOwner(app, kind, visibility);
      await createVariable(owner, { key: 'SECRET', value: SECRET });
      const stranger = app.as(await app.build.user());
      const expected = visibility === 'private' ? 404 : 403;
      for (const { status, text } of [...(await walk(stranger, owner)), await stranger.post(owner.path, {})]) {
        t.is(status, expected);
        t.false(text.includes(SECRET));
      }
      for (const { status, body } of [...(await walk(app.anonymous, owner)), await app.anonymous.post(owner.path, {})])
        t.deepEqual([status, body], [401, { message: '401 Unauthorized' }]);
    }
});

// Contract: ci-variables.roles
test.serial('variables of the instance are for administrators alone', async (t) => {
  const instance = await createOwner(app, 'instance');
  await createVariable(instance, { key: 'SECRET', value: SECRET });
  const statuses = async (client: Client) => (await walk(client, instance)).map(({ status }) => status);
  t.deepEqual(await statuses(instance.client), done);
  t.deepEqual(await statuses(app.as(await app.build.user())), [403, 403, 403, 403, 403]);
  t.deepEqual(await statuses(app.anonymous), [401, 401, 401, 401, 401]);
  const unknown = await instance.client.put(`${instance.path}/SECRET`, { environment_scope: 'x', hidden: true });
  t.deepEqual([unknown.status, Object.keys(unknown.body).includes('environment_scope')], [200, false]);
  await instance.client.delete(`${instance.path}/SECRET`);
});

// Contract: ci-variables.roles
test.serial('a token of scope read_api reads, and one of scope api changes', async (t) => {
  for (const kind of ['project', 'group', 'instance'] as const) {
    const owner = await createOwner(app, kind);
    await createVariable(owner, { key: 'SECRET', value: SECRET });
    const reader = app.as(await app.build.token(owner.owner, { scopes: ['read_api'] }));
    t.deepEqual(
      (await walk(reader, owner)).map(({ status }) => status),
      [200, 200, 403, 403, 403],
    );
    await owner.client.delete(`${owner.path}/SECRET`);
  }
});

// Contract: ci-variables.roles
test.serial('in an archived project variables are read, and nothing changes', async (t) => {
  const project = await createOwner(app, 'project');
  await createVariable(project, { key: 'SECRET', value: SECRET });
  await project.client.post(`/projects/${project.id}/archive`);
  t.deepEqual(
    (await walk(project.client, project)).map(({ status }) => status),
    [200, 200, 403, 403, 403],
  );
});

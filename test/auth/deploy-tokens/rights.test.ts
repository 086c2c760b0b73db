import test from 'ava';
import { CONTAINER_NOUNS } from '../../../shared/core/operations/container.js';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';
import { KINDS, createContainer, tokenIn } from './containers.js';
import type { TestContainer } from './containers.js';

const app = useApp(test);
const ROLES = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'] as const;
type CallerName = (typeof ROLES)[number] | 'stranger' | 'anonymous' | 'admin';

const CALLS = {
  list: (client: Client, { path }: TestContainer) => client.get(path),
  get: (client: Client, { path }: TestContainer, id: number) => client.get(`${path}/${id}`),
  create: (client: Client, { path }: TestContainer) => client.post(path, { name: 'x', scopes: ['read_repository'] }),
  revoke: (client: Client, { path }: TestContainer, id: number) => client.post(`${path}/${id}/revoke`),
  delete: (client: Client, { path }: TestContainer, id: number) => client.delete(`${path}/${id}`),
};
type Call = keyof typeof CALLS;
const DONE: Record<Call, number> = { list: 200, get: 200, create: 201, revoke: 201, delete: 204 };

/** Who at least may do it. */
const LEAST: Record<TestContainer['kind'], Record<Call, (typeof ROLES)[number]>> = {
  project: { list: 'maintainer', get: 'maintainer', create: 'maintainer', revoke: 'maintainer', delete: 'maintainer' },
  group: { list: 'maintainer', get: 'maintainer', create: 'owner', revoke: 'owner', delete: 'owner' },
};

async function getClient(container: TestContainer, name: CallerName): Promise<Client> {
  if (name === 'anonymous') return app.anonymous;
  if (name === 'stranger') return app.as(await app.build.user());
  if (name === 'admin') return app.as(await app.build.admin());
  const member =
    container.kind === 'project' ? app.build.member(container, name) : app.build.groupMember(container, name);
  return app.as(await member);
}

/** The response to each call, for each caller of a container. */
async function walk(container: TestContainer, names: readonly CallerName[]): Promise<[string, number, unknown][]> {
  const answers: [string, number, unknown][] = [];
  for (const name of names) {
    const client = await getClient(container, name);
    for (const [call, send] of Object.entries(CALLS)) {
      const { id } = await tokenIn(app, container);
      const { status, body } = await send(client, container, id);
      answers.push([`${name} ${call}`, status, status < 300 ? null : body]);
    }
  }
  return answers;
}

// Contract: interface-5.1.deploy-tokens.project, interface-5.1.deploy-tokens.group.read, interface-5.1.deploy-tokens.group.write, deploy-tokens-3.role
test('each role may do what the contract says of it, and is 403 for all else', async (t) => {
  for (const kind of KINDS) {
    const may = (name: CallerName, call: Call) =>
      name === 'admin' || ROLES.indexOf(name as never) >= ROLES.indexOf(LEAST[kind][call]);
    const names = [...ROLES, 'admin'] as const;
    const expected = names.flatMap((name) =>
      (Object.keys(CALLS) as Call[]).map((call) =>
        may(name, call)
          ? [`${name} ${call}`, DONE[call], null]
          : [`${name} ${call}`, 403, { message: '403 Forbidden' }],
      ),
    );
    t.deepEqual(await walk(await createContainer(app, kind), names), expected as never, kind);
  }
});

// Contract: deploy-tokens-3.anonymous
test('who is no member is told that a private place is not there, and of a public one 403, without a token too', async (t) => {
  const names = ['stranger', 'anonymous'] as const;
  for (const kind of KINDS) {
    const hidden = { message: `404 ${CONTAINER_NOUNS[kind]} Not Found` };
    for (const [, status, body] of await walk(await createContainer(app, kind), names))
      t.deepEqual([status, body], [404, hidden]);
    for (const [, status, body] of await walk(await createContainer(app, kind, 'public'), names))
      t.deepEqual([status, body], [403, { message: '403 Forbidden' }]);
  }
});

// Contract: deploy-tokens-3.order
test('parameters come first, then the container, the role, the values, and the token last', async (t) => {
  const container = await createContainer(app, 'project');
  const developer = app.as(await app.build.member(container, 'developer'));
  const blank = { name: '', scopes: [] };
  const answers = [
    await app.anonymous.post('/projects/99999999/deploy_tokens', {}),
    await app.anonymous.get('/projects/99999999/deploy_tokens/x'),
    await app.anonymous.post('/projects/99999999/deploy_tokens', blank),
    await developer.post(container.path, {}),
    await developer.post(container.path, blank),
    await developer.get(`${container.path}/99999999`),
    await app.as(container.owner).get(`${container.path}/99999999`),
  ];
  t.deepEqual(
    answers.map(({ status, body }) => [status, body.error ?? body.message]),
    [
      [400, 'name is missing, scopes is missing, scopes does not have a valid value'],
      [400, 'token_id is invalid'],
      [404, '404 Project Not Found'],
      [400, 'name is missing, scopes is missing, scopes does not have a valid value'],
      [403, '403 Forbidden'],
      [403, '403 Forbidden'],
      [404, '404 Not found'],
    ],
  );
});

test('scopes of the caller: read_api reads, api changes', async (t) => {
  const container = await createContainer(app, 'project');
  const reader = app.as(await app.build.token(container.owner, { scopes: ['read_api'] }));
  const { id } = await tokenIn(app, container);
  const statuses = [];
  for (const send of Object.values(CALLS)) statuses.push((await send(reader, container, id)).status);
  t.deepEqual(statuses, [200, 200, 403, 403, 403]);
});

test('in an archived project no token is made, but old ones are ended', async (t) => {
  const container = await createContainer(app, 'project');
  const [one, two] = [await tokenIn(app, container), await tokenIn(app, container)];
  const client = app.as(container.owner);
  await client.post(`/projects/${container.id}/archive`);
  t.is((await CALLS.create(client, container)).status, 403);
  t.is((await CALLS.list(client, container)).body.length, 2);
  t.is((await CALLS.revoke(client, container, one.id)).status, 201);
  t.is((await CALLS.delete(client, container, two.id)).status, 204);
});

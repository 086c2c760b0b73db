import test from 'ava';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';
import { ed25519, keyedProject, keyIn } from './keys.js';
import type { Keyed } from './keys.js';

const app = useApp(test);
const ROLES = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'] as const;

const CALLS: Record<
  string,
  (client: Client, project: Keyed, id: number) => Promise<{ status: number; body: unknown }>
> = {
  list: (client, { path }) => client.get(path),
  get: (client, { path }, id) => client.get(`${path}/${id}`),
  create: (client, { path }) => client.post(path, { title: 'x', key: ed25519() }),
  update: (client, { path }, id) => client.put(`${path}/${id}`, { can_push: true }),
  enable: (client, { path }, id) => client.post(`${path}/${id}/enable`),
  delete: (client, { path }, id) => client.delete(`${path}/${id}`),
};
const DONE = [200, 200, 201, 200, 201, 204];

async function getStatuses(client: Client, project: Keyed): Promise<number[]> {
  const { id } = await keyIn(app, project);
  const statuses: number[] = [];
  for (const send of Object.values(CALLS)) statuses.push((await send(client, project, id)).status);
  return statuses;
}
const six = (status: number) => Array.from({ length: 6 }, () => status);

// Contract: deploy-keys.roles
test('Maintainers and above may do all of it, members below nothing', async (t) => {
  const project = await keyedProject(app);
  for (const role of ROLES) {
    const client = app.as(await app.build.member(project, role));
    t.deepEqual(await getStatuses(client, project), ROLES.indexOf(role) >= 4 ? DONE : six(403), role);
  }
  t.deepEqual(await getStatuses(app.as(await app.build.admin()), project), DONE);
});

// Contract: deploy-keys.roles
test('without a credential all of it is 401; strangers get 404 of private projects and 403 of public ones', async (t) => {
  const stranger = app.as(await app.build.user());
  for (const [visibility, status] of [
    ['private', 404],
    ['public', 403],
  ] as const) {
    const project = await keyedProject(app, { visibility });
    t.deepEqual(await getStatuses(stranger, project), six(status));
    t.deepEqual(await getStatuses(app.anonymous, project), six(401));
  }
});

test('scopes of the caller: read_api reads, api changes', async (t) => {
  const project = await keyedProject(app);
  const reader = app.as(await app.build.token(project.owner, { scopes: ['read_api'] }));
  t.deepEqual(await getStatuses(reader, project), [200, 200, 403, 403, 403, 403]);
});

test('in an archived project no key is added, enabled or edited, but one is removed', async (t) => {
  const project = await keyedProject(app);
  const { id } = await keyIn(app, project);
  const client = app.as(project.owner);
  await client.post(`/projects/${project.id}/archive`);
  const statuses: number[] = [];
  for (const send of Object.values(CALLS)) statuses.push((await send(client, project, id)).status);
  t.deepEqual(statuses, [200, 200, 403, 403, 403, 204]);
});

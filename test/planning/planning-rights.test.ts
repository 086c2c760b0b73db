import test from 'ava';
import { useApp } from '../core/app.js';
import type { Client } from '../core/client.js';
import { KINDS, createContainer } from './containers.js';
import type { TestContainer } from './containers.js';

const app = useApp(test);
const ROLES = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'] as const;
type CallerName = (typeof ROLES)[number] | 'stranger' | 'anonymous' | 'admin';

async function getClient(container: TestContainer, name: CallerName): Promise<Client> {
  if (name === 'anonymous') return app.anonymous;
  if (name === 'stranger') return app.as(await app.build.user());
  if (name === 'admin') return app.as(await app.build.admin());
  const member =
    container.kind === 'project' ? app.build.member(container, name) : app.build.groupMember(container, name);
  return app.as(await member);
}

let count = 0;
const NEW = {
  labels: () => ({ name: `label ${(count += 1)}`, color: 'red' }),
  milestones: () => ({ title: `milestone ${(count += 1)}` }),
};
const CHANGE = { labels: { color: 'blue' }, milestones: { description: 'x' } };

/** Statuses of list, read, create, edit and delete. */
async function getStatuses(container: TestContainer, what: keyof typeof NEW, client: Client): Promise<number[]> {
  const { id } = (await app.as(container.owner).post(container.path, NEW[what]())).body;
  return [
    (await client.get(container.path)).status,
    (await client.get(`${container.path}/${id}`)).status,
    (await client.post(container.path, NEW[what]())).status,
    (await client.put(`${container.path}/${id}`, CHANGE[what])).status,
    (await client.delete(`${container.path}/${id}`)).status,
  ];
}

const WRITES = [200, 200, 201, 200, 204];
const READS = [200, 200, 403, 403, 403];

// Contract: labels-8.role, milestones-8.role
test('Guests read labels and milestones, Planners and above write them, and nobody knows of those of what is private', async (t) => {
  for (const kind of KINDS)
    for (const what of ['labels', 'milestones'] as const) {
      const container = await createContainer(app, kind, what);
      for (const name of [...ROLES, 'admin'] as const) {
        const expected = name === 'guest' ? READS : WRITES;
        t.deepEqual(
          await getStatuses(container, what, await getClient(container, name)),
          expected,
          `${kind} ${what} ${name}`,
        );
      }
      t.deepEqual(
        await getStatuses(container, what, await getClient(container, 'stranger')),
        [404, 404, 404, 404, 404],
      );
      t.deepEqual(await getStatuses(container, what, app.anonymous), [404, 404, 401, 401, 401]);
    }
});

// Contract: labels-8.role.public, milestones-8.role.public
test('everybody reads labels and milestones of what is public', async (t) => {
  for (const kind of KINDS)
    for (const what of ['labels', 'milestones'] as const) {
      const container = await createContainer(app, kind, what, 'public');
      t.deepEqual(await getStatuses(container, what, await getClient(container, 'stranger')), READS);
      t.deepEqual(await getStatuses(container, what, app.anonymous), [200, 200, 401, 401, 401]);
    }
});

test('a project without issues and merge requests has no labels and milestones, and a read-only one no new ones', async (t) => {
  for (const what of ['labels', 'milestones'] as const) {
    const container = await createContainer(app, 'project', what, 'public');
    const as = app.as(container.owner);
    const levels = (issues: string, merges: string) =>
      as.put(`/projects/${container.id}`, { issues_access_level: issues, merge_requests_access_level: merges });
    await levels('disabled', 'enabled');
    t.is((await as.get(container.path)).status, 200);
    await levels('disabled', 'disabled');
    t.is((await as.get(container.path)).status, 403);
    t.is((await as.post(container.path, NEW[what]())).status, 403);
    await levels('private', 'disabled');
    t.is((await as.get(container.path)).status, 200);
    t.is((await app.anonymous.get(container.path)).status, 403);
    await as.post(`/projects/${container.id}/archive`);
    t.is((await as.get(container.path)).status, 200);
    t.is((await as.post(container.path, NEW[what]())).status, 403);
  }
});

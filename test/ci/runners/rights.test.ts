import test from 'ava';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';
import { createOwnedRunner, createRunnerAs, RUNNER_KINDS } from './runner-owners.js';
import type { OwnedRunner } from './runner-owners.js';

const app = useApp(test);
const ROLES = ['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const;
const NO_ACCESS = { message: '403 Forbidden - No access granted' };

/** Statuses of what reads and of what changes a runner, which stays as it is. */
async function walk(client: Client, { id }: OwnedRunner): Promise<{ read: number[]; changed: number }> {
  const path = `/runners/${id}`;
  const answers = [await client.get(path), await client.get(`${path}/managers`), await client.get(`${path}/jobs`)];
  return { read: answers.map(({ status }) => status), changed: (await client.put(path, { description: null })).status };
}

// Contract: runners.roles
test('who reads and who changes a runner depends on the role where it belongs', async (t) => {
  for (const kind of ['group', 'project'] as const) {
    const runner = await createOwnedRunner(app, kind);
    for (const role of ROLES) {
      const owner = { id: runner.ownerId };
      const member =
        kind === 'project' ? await app.build.member(owner, role) : await app.build.groupMember(owner, role);
      const reads = role === 'owner' || role === 'maintainer';
      const changes = role === 'owner' || (role === 'maintainer' && kind === 'project');
      const status = reads ? 200 : 403;
      t.deepEqual(
        await walk(app.as(member), runner),
        { read: [status, status, status], changed: changes ? 200 : 403 },
        `${kind} ${role}`,
      );
    }
    const admin = await walk(app.as(await app.build.admin()), runner);
    t.deepEqual(admin, { read: [200, 200, 200], changed: 200 });
  }
});

// Contract: runners.roles
test('a runner of somebody else is 403 No access granted; without a credential it is 401', async (t) => {
  const stranger = app.as(await app.build.user());
  for (const kind of RUNNER_KINDS) {
    const runner = await createOwnedRunner(app, kind);
    const path = `/runners/${runner.id}`;
    const refused = [
      await stranger.get(`${path}/managers`),
      await stranger.get(`${path}/jobs`),
      await stranger.put(path, { paused: true }),
      await stranger.delete(path),
      await stranger.post(`${path}/reset_authentication_token`),
    ];
    for (const { status, body } of refused) t.deepEqual([status, body], [403, NO_ACCESS]);
    // What serves everybody may be known to everybody.
    t.is((await stranger.get(path)).status, kind === 'instance' ? 200 : 403);
    t.is((await app.anonymous.get(path)).status, 401);
    t.is((await app.anonymous.delete(path)).status, 401);
  }
  t.is((await stranger.get('/runners/999999')).status, 404);
});

// Contract: runners.create
test('runners of the instance are created by administrators, of groups by Owners, of projects by Maintainers', async (t) => {
  const group = await app.build.group();
  const project = await app.build.project({ empty: true });
  const create = async (client: Client, attributes: Record<string, unknown>) =>
    (await client.post('/user/runners', attributes)).status;
  const ofGroup = { runner_type: 'group_type', group_id: group.id };
  const ofProject = { runner_type: 'project_type', project_id: project.id };
  t.is(await create(app.as(group.owner), { runner_type: 'instance_type' }), 403);
  t.is(await create(app.as(await app.build.groupMember(group, 'maintainer')), ofGroup), 403);
  t.is(await create(app.as(await app.build.groupMember(group, 'owner')), ofGroup), 201);
  t.is(await create(app.as(await app.build.member(project, 'developer')), ofProject), 403);
  t.is(await create(app.as(await app.build.member(project, 'maintainer')), ofProject), 201);
  const stranger = app.as(await app.build.user());
  t.deepEqual([await create(stranger, ofGroup), await create(stranger, ofProject)], [404, 404]);
  t.is(await create(app.anonymous, ofProject), 401);
  await app.as(project.owner).post(`/projects/${project.id}/archive`);
  t.is(await create(app.as(project.owner), ofProject), 403);
});

// Contract: runners.scopes
test('a token of scope create_runner creates runners, one of manage_runner manages them, and neither does more', async (t) => {
  const { owner, id } = await app.build.project({ empty: true });
  const attributes = { runner_type: 'project_type', project_id: id };
  const creator = app.as(await app.build.token(owner, { scopes: ['create_runner'] }));
  const manager = app.as(await app.build.token(owner, { scopes: ['manage_runner'] }));
  const reader = app.as(await app.build.token(owner, { scopes: ['read_api'] }));
  const runner = await createRunnerAs(creator, attributes);
  const path = `/runners/${runner.id}`;
  const statuses = async (client: Client) => [
    (await client.get(path)).status,
    (await client.put(path, { description: 'x' })).status,
    (await client.get(`/projects/${id}`)).status,
  ];
  t.deepEqual(await statuses(creator), [403, 403, 403]);
  t.deepEqual(await statuses(manager), [200, 200, 403]);
  t.deepEqual(await statuses(reader), [200, 403, 200]);
  t.is((await manager.post('/user/runners', attributes)).status, 403);
  t.is((await reader.post('/user/runners', attributes)).status, 403);
});

// Contract: runners.assign
test('a runner of a project is assigned to another one by a Maintainer of both, and not when it is locked', async (t) => {
  const runner = await createOwnedRunner(app, 'project');
  const other = await app.build.project({ empty: true });
  const path = `/projects/${other.id}/runners`;
  const assign = async (client: Client, id = runner.id) => {
    const { status, body } = await client.post(path, { runner_id: id });
    return status === 201 ? status : [status, body.message];
  };
  t.deepEqual(await assign(app.as(other.owner)), [403, NO_ACCESS.message]);
  const both = app.as(await app.build.member(other, 'maintainer', runner.owner));
  await runner.client.put(`/runners/${runner.id}`, { locked: true });
  t.deepEqual(await assign(both), [403, '403 Forbidden - Runner is locked']);
  await runner.client.put(`/runners/${runner.id}`, { locked: false });
  t.is(await assign(both), 201);
  t.deepEqual(await assign(both), [400, { runner_id: ['has already been taken'] }]);
  t.deepEqual(await assign(both, 999_999), [404, '404 Runner Not Found']);
  const ofGroup = await createOwnedRunner(app, 'group');
  const ofInstance = await createOwnedRunner(app, 'instance');
  t.deepEqual(await assign(both, ofGroup.id), [403, '403 Forbidden - Runner is a group runner']);
  t.deepEqual(await assign(both, ofInstance.id), [403, '403 Forbidden - Runner is an instance runner']);
  // Whoever maintains only the second project reads the runner, and changes nothing.
  t.deepEqual(await walk(app.as(other.owner), runner), { read: [200, 200, 200], changed: 403 });
  const read = await app.as(other.owner).get(`/runners/${runner.id}`);
  t.deepEqual(
    read.body.projects.map(({ id }: { id: number }) => id),
    [other.id],
  );
  t.deepEqual((await both.delete(`/runners/${runner.id}`)).body, {
    message: '403 Forbidden - Runner associated with more than one project',
  });
  t.is((await app.as(other.owner).delete(`${path}/${runner.id}`)).status, 204);
  t.is((await app.as(other.owner).delete(`${path}/${runner.id}`)).status, 404);
  t.deepEqual((await both.delete(`/projects/${runner.ownerId}/runners/${runner.id}`)).body, {
    message: '403 Forbidden - Only one project associated with the runner. Please remove the runner instead',
  });
});

// Contract: runners.lifetime
test('a runner is gone with its group and with the last of its projects', async (t) => {
  const admin = app.as(await app.build.admin());
  await app.set({ deletion_adjourned_period: 0 });
  const exists = async ({ id }: OwnedRunner) => (await admin.get(`/runners/${id}`)).status === 200;
  const runner = await createOwnedRunner(app, 'project');
  const other = await app.build.project({ empty: true });
  await admin.post(`/projects/${other.id}/runners`, { runner_id: runner.id });
  await admin.delete(`/projects/${runner.ownerId}`);
  await app.work();
  t.true(await exists(runner));
  await admin.delete(`/projects/${other.id}`);
  await app.work();
  t.false(await exists(runner));
  const ofGroup = await createOwnedRunner(app, 'group');
  await admin.delete(`/groups/${ofGroup.ownerId}`);
  await app.work();
  t.false(await exists(ofGroup));
});

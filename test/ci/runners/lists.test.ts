import test from 'ava';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';
import { createOwnedRunner, createRunnerAs } from './runner-owners.js';

const app = useApp(test);

async function list(client: Client, path: string): Promise<number[]> {
  const { status, body, text } = await client.get(`${path}${path.includes('?') ? '&' : '?'}per_page=100`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return (body as { id: number }[]).map(({ id }) => id).toSorted((one, other) => one - other);
}

/** A group with a subgroup and a project in it, and a runner of each. */
async function createTree() {
  const group = await app.build.group();
  const client = app.as(group.owner);
  const below = await client.post('/groups', { name: 'Below', path: `below${group.id}`, parent_id: group.id });
  const project = await client.post('/projects', { name: `In ${group.id}`, namespace_id: below.body.id });
  const create = (attributes: Record<string, unknown>) => createRunnerAs(client, attributes);
  return {
    client,
    groupId: group.id,
    belowId: below.body.id as number,
    projectId: project.body.id as number,
    ofGroup: (await create({ runner_type: 'group_type', group_id: group.id })).id,
    ofBelow: (await create({ runner_type: 'group_type', group_id: below.body.id })).id,
    ofProject: (await create({ runner_type: 'project_type', project_id: project.body.id, tag_list: 'a,b' })).id,
  };
}

// Contract: runners.list
test('lists show the runners that the caller manages, that a project may use, and that serve a group', async (t) => {
  const tree = await createTree();
  const { client, ofGroup, ofBelow, ofProject } = tree;
  const { id: shared } = await createOwnedRunner(app, 'instance');
  const others = await createOwnedRunner(app, 'project');
  const withoutShared = async (path: string) => (await list(client, path)).filter((id) => id !== shared);
  t.deepEqual(await list(client, '/runners'), [ofGroup, ofBelow, ofProject]);
  t.deepEqual(await list(others.client, '/runners'), [others.id]);
  const project = `/projects/${tree.projectId}`;
  t.true((await list(client, `${project}/runners`)).includes(shared));
  t.deepEqual(await list(client, `${project}/runners?type=project_type`), [ofProject]);
  t.deepEqual(await list(client, `${project}/runners?type=group_type`), [ofGroup, ofBelow]);
  await client.put(project, { shared_runners_enabled: false });
  t.deepEqual(await list(client, `${project}/runners`), [ofGroup, ofBelow, ofProject]);
  await client.put(project, { group_runners_enabled: false });
  t.deepEqual(await list(client, `${project}/runners`), [ofProject]);
  t.deepEqual(await list(client, `/groups/${tree.belowId}/runners?type=group_type`), [ofGroup, ofBelow]);
  t.deepEqual(await withoutShared(`/groups/${tree.groupId}/runners?type=group_type`), [ofGroup]);
  t.true((await list(client, `/groups/${tree.groupId}/runners`)).includes(shared));
  await client.put(`/groups/${tree.groupId}`, { shared_runners_setting: 'disabled_and_unoverridable' });
  t.deepEqual(await list(client, `/groups/${tree.groupId}/runners`), [ofGroup]);
});

// Contract: runners.list
test('lists are for Maintainers, that of all runners for administrators', async (t) => {
  const tree = await createTree();
  for (const [kind, id] of [
    ['project', tree.projectId],
    ['group', tree.groupId],
  ] as const)
    for (const role of ['developer', 'maintainer'] as const) {
      const member = await (kind === 'project' ? app.build.member({ id }, role) : app.build.groupMember({ id }, role));
      const { status } = await app.as(member).get(`/${kind}s/${id}/runners`);
      t.is(status, role === 'maintainer' ? 200 : 403, `${kind} ${role}`);
    }
  const stranger = app.as(await app.build.user());
  t.is((await stranger.get(`/projects/${tree.projectId}/runners`)).status, 404);
  t.is((await stranger.get(`/groups/${tree.groupId}/runners`)).status, 404);
  t.deepEqual(await list(stranger, '/runners'), []);
  t.is((await stranger.get('/runners/all')).status, 403);
  t.is((await app.anonymous.get('/runners')).status, 401);
  const all = await list(app.as(await app.build.admin()), '/runners/all');
  t.true([tree.ofGroup, tree.ofBelow, tree.ofProject].every((id) => all.includes(id)));
});

// Contract: runners.filters
test('lists are filtered by type, tags, version and whether a runner is paused', async (t) => {
  const { owner, id } = await app.build.project({ empty: true });
  const client = app.as(owner);
  const create = (attributes: Record<string, unknown>) =>
    createRunnerAs(client, { runner_type: 'project_type', project_id: id, ...attributes });
  const one = await create({ tag_list: 'a,b' });
  const two = await create({ tag_list: 'b', paused: true });
  await app.anonymous.post('/runners/verify', { token: one.token, system_id: 's', info: { version: '17.5_1' } });
  const filtered = (query: string) => list(client, `/runners?${query}`);
  t.deepEqual(await filtered('tag_list=b'), [one.id, two.id]);
  t.deepEqual(await filtered('tag_list=b,a'), [one.id]);
  t.deepEqual(await filtered('tag_list[]=c'), []);
  t.deepEqual(await filtered('paused=true'), [two.id]);
  t.deepEqual(await filtered('paused=false'), [one.id]);
  t.deepEqual(await filtered('status=paused'), [two.id]);
  t.deepEqual(await filtered('status=active'), [one.id]);
  t.deepEqual(await filtered('status=online'), [one.id]);
  t.deepEqual(await filtered('status=never_contacted'), [two.id]);
  t.deepEqual(await filtered('version_prefix=17.5_'), [one.id]);
  t.deepEqual(await filtered('version_prefix=17%25'), []);
  t.deepEqual(await filtered('type=group_type'), []);
  t.is((await client.get('/runners?type=any')).status, 400);
  t.is((await client.get('/runners?status=any')).status, 400);
  const page = await client.get('/runners?per_page=1');
  t.deepEqual([page.body.length, page.headers.get('x-total')], [1, '2']);
});

// Contract: runners.jobs
test("a runner's jobs are listed as far as the caller may see their projects", async (t) => {
  const runner = await createOwnedRunner(app, 'project');
  const other = await app.build.project({ empty: false });
  const admin = app.as(await app.build.admin());
  const first = await app.build.project({ owner: runner.owner });
  await admin.post(`/projects/${other.id}/runners`, { runner_id: runner.id });
  await app.anonymous.post('/runners/verify', { token: runner.token, system_id: 's_1' });
  const jobs = [];
  for (const { id, owner } of [first, other, first]) {
    const { body: branch } = await app.as(owner).get(`/projects/${id}/repository/branches/main`);
    const state = jobs.length === 2 ? 'running' : 'success';
    const name = `job ${jobs.length}`;
    const { body } = await app.as(owner).post(`/projects/${id}/statuses/${branch.commit.id}`, { state, name });
    jobs.push(body.id as number);
  }
  await app.services.db.pool.query(
    `update jobs set runner_id = $1, runner_manager_id = (select id from runner_managers where runner_id = $1)
     where id = any($2)`,
    [runner.id, jobs],
  );
  const path = `/runners/${runner.id}/jobs`;
  const [one, two, three] = jobs as [number, number, number];
  t.deepEqual(await list(admin, path), [one, two, three]);
  t.deepEqual(await list(runner.client, path), [one, three]);
  t.deepEqual(await list(runner.client, `${path}?status=running`), [three]);
  t.deepEqual(await list(runner.client, `${path}?system_id=s_1`), [one, three]);
  t.deepEqual(await list(runner.client, `${path}?system_id=s_2`), []);
  const { body } = await runner.client.get(`${path}?sort=asc&order_by=id`);
  t.deepEqual([body[0].id, body[1].id], [one, three]);
  t.like(body[0], {
    name: 'job 0',
    status: 'success',
    project: { id: first.id, path_with_namespace: first.full_path },
  });
  t.is(body[0].commit.id, body[0].pipeline.sha);
  t.is((await runner.client.get(`/runners/${runner.id}`)).body.job_execution_status, 'active');
  const { body: job } = await app.as(first.owner).get(`/projects/${first.id}/jobs/${one}`);
  t.deepEqual([job.runner.id, job.runner_manager.system_id], [runner.id, 's_1']);
});

import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: environments-1.agents
test('an agent is registered, listed, read and deleted', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const agents = `/projects/${project.id}/cluster_agents`;
  const { status, body } = await owner.post(agents, { name: 'agent-1' });
  t.is(status, 201);
  t.deepEqual(Object.keys(body), ['id', 'name', 'config_project', 'created_at', 'created_by_user_id']);
  t.like(body, { name: 'agent-1', created_by_user_id: project.owner.id });
  t.deepEqual(Object.keys(body.config_project), [
    'id',
    'description',
    'name',
    'name_with_namespace',
    'path',
    'path_with_namespace',
    'created_at',
  ]);
  t.deepEqual((await owner.get(agents)).body, [body]);
  t.deepEqual((await owner.get(`${agents}/${body.id}`)).body, body);
  t.is((await owner.delete(`${agents}/${body.id}`)).status, 204);
  t.deepEqual((await owner.get(`${agents}/${body.id}`)).body, { message: '404 Not found' });
});

// Contract: environments-1.agents
test('the name of an agent is a label of a host name, taken once', async (t) => {
  const project = await app.build.project();
  const post = async (name: string) => {
    const { status, body } = await app.as(project.owner).post(`/projects/${project.id}/cluster_agents`, { name });
    return [status, body.message];
  };
  const wrong = [
    400,
    "400 Bad request - Name can contain only lowercase letters, digits, and '-', but cannot start or end with '-'",
  ];
  for (const name of ['', 'Agent', '-a', 'a-', 'a'.repeat(64), 'ä', 'a\n']) t.deepEqual(await post(name), wrong);
  t.is((await post('a'.repeat(63)))[0], 201);
  t.deepEqual(await post('a'.repeat(63)), [400, '400 Bad request - Name has already been taken']);
});

// Contract: environments-1.agents
test('Developers read agents, Maintainers have them', async (t) => {
  const project = await app.build.project();
  const agents = `/projects/${project.id}/cluster_agents`;
  const as = async (role: 'reporter' | 'developer' | 'maintainer') => app.as(await app.build.member(project, role));
  t.is((await (await as('reporter')).get(agents)).status, 403);
  const developer = await as('developer');
  t.is((await developer.get(agents)).status, 200);
  t.is((await developer.post(agents, { name: 'a' })).status, 403);
  const maintainer = await as('maintainer');
  const { body } = await maintainer.post(agents, { name: 'a' });
  t.is((await developer.delete(`${agents}/${body.id}`)).status, 403);
  t.is((await maintainer.delete(`${agents}/${body.id}`)).status, 204);
});

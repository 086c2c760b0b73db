import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function getUpstream(id: number): Promise<number | null> {
  const { body } = await app.as(await app.build.admin()).get(`/projects/${id}`);
  return body.forked_from_project?.id ?? null;
}

// Contract: core-5.fork.relation
test('a project is made a fork of another one and none again', async (t) => {
  const project = await app.build.project({ empty: true });
  const source = await app.build.project({ visibility: 'public', empty: true });
  const owner = app.as(project.owner);
  const { status, body } = await owner.post(`/projects/${project.id}/fork/${source.id}`);
  t.is(status, 201);
  t.is(body.id, project.id);
  t.is(await getUpstream(project.id), source.id);
  const again = await owner.post(`/projects/${project.id}/fork/${source.id}`);
  t.is(again.status, 409);
  t.deepEqual(again.body, { message: 'Project already forked' });
  t.is((await owner.delete(`/projects/${project.id}/fork`)).status, 204);
  t.is(await getUpstream(project.id), null);
  t.is((await owner.delete(`/projects/${project.id}/fork`)).status, 304);
});

// Contract: core-5.fork.relation
test('a fork relation needs Owner of the project and the right to fork the other one', async (t) => {
  const project = await app.build.project({ empty: true });
  const source = await app.build.project({ visibility: 'public', empty: true });
  const hidden = await app.build.project({ empty: true });
  const maintainer = app.as(await app.build.member(project, 'maintainer'));
  t.is((await maintainer.post(`/projects/${project.id}/fork/${source.id}`)).status, 403);
  t.is((await maintainer.delete(`/projects/${project.id}/fork`)).status, 403);
  const owner = app.as(project.owner);
  t.is((await owner.post(`/projects/${project.id}/fork/${hidden.id}`)).status, 404);
  t.is((await owner.post(`/projects/${project.id}/fork/999999999`)).status, 404);
  await app.build.member(hidden, 'guest', project.owner);
  t.is((await owner.post(`/projects/${project.id}/fork/${hidden.id}`)).status, 403);
});

// Contract: core-5.fork.relation
test('no project is a fork of itself, or of its own forks [unverified text of the latter]', async (t) => {
  const one = await app.build.project({ empty: true });
  const other = await app.build.project({ owner: one.owner, empty: true });
  const owner = app.as(one.owner);
  const self = await owner.post(`/projects/${one.id}/fork/${one.id}`);
  t.is(self.status, 400);
  t.deepEqual(self.body, { message: 'Target project cannot be equal to source project' });
  await owner.post(`/projects/${other.id}/fork/${one.id}`);
  const circle = await owner.post(`/projects/${one.id}/fork/${other.id}`);
  t.is(circle.status, 400);
  t.deepEqual(circle.body, { message: { forked_from_project_id: ['is a fork of the project'] } });
});

// Contract: core-5.fork.relation
test('two projects that are made forks of each other at once do not become a circle', async (t) => {
  const one = await app.build.project({ empty: true });
  const other = await app.build.project({ owner: one.owner, empty: true });
  const answers = await Promise.all([
    app.as(one.owner).post(`/projects/${one.id}/fork/${other.id}`),
    app.as(one.owner).post(`/projects/${other.id}/fork/${one.id}`),
  ]);
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 400]);
});

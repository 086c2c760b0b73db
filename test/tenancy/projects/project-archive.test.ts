import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: core-5.archive
test('an archived project is readable and nothing in it changes', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const { status, body } = await owner.post(`/projects/${project.id}/archive`);
  t.is(status, 201);
  t.true(body.archived);
  t.is((await owner.get(`/projects/${project.id}/repository/branches`)).status, 200);
  t.is((await owner.post(`/projects/${project.id}/repository/branches`, { branch: 'x', ref: 'main' })).status, 403);
  const back = await owner.post(`/projects/${project.id}/unarchive`);
  t.is(back.status, 201);
  t.false(back.body.archived);
  t.is((await owner.post(`/projects/${project.id}/repository/branches`, { branch: 'x', ref: 'main' })).status, 201);
});

// Contract: core-5.archive
test('archiving twice and unarchiving twice are 400 [unverified text]', async (t) => {
  const project = await app.build.project({ empty: true });
  const owner = app.as(project.owner);
  const early = await owner.post(`/projects/${project.id}/unarchive`);
  t.is(early.status, 400);
  t.deepEqual(early.body, { message: 'Project is already unarchived!' });
  await owner.post(`/projects/${project.id}/archive`);
  const again = await owner.post(`/projects/${project.id}/archive`);
  t.is(again.status, 400);
  t.deepEqual(again.body, { message: 'Project is already archived!' });
});

test('a project that is marked for deletion is not archived', async (t) => {
  const project = await app.build.project({ empty: true });
  await app.as(project.owner).delete(`/projects/${project.id}`);
  const { status, body } = await app.as(project.owner).post(`/projects/${project.id}/archive`);
  t.is(status, 400);
  t.deepEqual(body, { message: 'Cannot archive project since it is scheduled for deletion.' });
});

// Contract: core-5.archive
test('only Owners archive a project', async (t) => {
  const project = await app.build.project({ empty: true });
  const maintainer = app.as(await app.build.member(project, 'maintainer'));
  t.is((await maintainer.post(`/projects/${project.id}/archive`)).status, 403);
  t.is((await maintainer.post(`/projects/${project.id}/unarchive`)).status, 403);
  t.is((await app.as(await app.build.user()).post(`/projects/${project.id}/archive`)).status, 404);
  t.is((await app.anonymous.post(`/projects/${project.id}/archive`)).status, 401);
  t.is((await app.as(await app.build.admin()).post(`/projects/${project.id}/archive`)).status, 201);
});

test('archiving is told in the audit log, and moves updated_at but not the last activity', async (t) => {
  const project = await app.build.project({ empty: true });
  const owner = app.as(project.owner);
  const before = (await owner.get(`/projects/${project.id}`)).body;
  await owner.post(`/projects/${project.id}/archive`);
  const after = (await owner.get(`/projects/${project.id}`)).body;
  t.is(after.last_activity_at, before.last_activity_at);
  const events = await app.context().query<{ event: string; author: number }>(sql`
    select e.event_name as "event", e.author_id as "author" from audit_events e
     where e.entity_type = 'Project' and e.entity_id = ${project.id} and e.event_name = 'project_archived'`);
  t.deepEqual(events, [{ event: 'project_archived', author: project.owner.id }]);
});

// Contract: core-5.archive
test('of two requests that archive at once one is 201, the other 400', async (t) => {
  const project = await app.build.project({ empty: true });
  const answers = await Promise.all([1, 2].map(() => app.as(project.owner).post(`/projects/${project.id}/archive`)));
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 400]);
});

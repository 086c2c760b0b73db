import test from 'ava';
import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { removeProject } from '../../../shared/repositories/project-lifecycle/remove-project.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);
const at = (path: string) => `/projects/${encodeURIComponent(path)}`;
const listAuditEvents = (id: number) =>
  app.context().query<{ event: string; author_id: number | null }>(sql`
    select e.event_name as "event", e.author_id as "author_id" from audit_events e
     where e.entity_type = 'Project' and e.entity_id = ${id} order by e.id`);

// Contract: core-5.delete
test('deleting a project marks it, answers 202 and gives its path free behind a redirect', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const { status, body } = await owner.delete(`/projects/${project.id}`);
  t.is(status, 202);
  t.deepEqual(body, { message: '202 Accepted' });
  const marked = (await owner.get(`/projects/${project.id}`)).body;
  t.is(marked.marked_for_deletion_on, '2030-01-01');
  t.is(marked.path, `${project.path}-deletion_scheduled-${project.id}`);
  t.is(marked.name, `${project.name}-deletion_scheduled-${project.id}`);
  t.true(marked.path_with_namespace.endsWith(marked.path));
  t.true(marked.name_with_namespace.endsWith(` / ${marked.name}`));
  t.is((await owner.get(at(project.full_path))).status, 301);
  const again = await owner.post('/projects', { name: project.name, path: project.path });
  t.is(again.status, 201);
  t.is((await owner.get(at(project.full_path))).body.id, again.body.id);
});

// Contract: projects-6.read-only
test('a marked project is read-only, and deleting it again is 400', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  await owner.delete(`/projects/${project.id}`);
  t.is((await owner.get(`/projects/${project.id}/repository/branches/main`)).status, 200);
  t.is((await owner.post(`/projects/${project.id}/repository/branches`, { branch: 'x', ref: 'main' })).status, 403);
  const again = await owner.delete(`/projects/${project.id}`);
  t.is(again.status, 400);
  t.deepEqual(again.body, { message: 'Project has been already marked for deletion' });
});

// Contract: projects-6.read-only
test('a marked project is left out by active=true, and found by active=false', async (t) => {
  const project = await app.build.project({ empty: true });
  await app.as(project.owner).delete(`/projects/${project.id}`);
  const count = async (active: boolean) =>
    (await app.as(project.owner).get(`/projects?membership=true&active=${active}`)).body.length;
  t.is(await count(true), 0);
  t.is(await count(false), 1);
});

// Contract: core-5.restore
test('restoring a project gives it its name and path back', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const early = await owner.post(`/projects/${project.id}/restore`);
  t.is(early.status, 400);
  t.deepEqual(early.body, { message: 'Project has not been marked for deletion' });
  await owner.delete(`/projects/${project.id}`);
  const { status, body } = await owner.post(`/projects/${project.id}/restore`);
  t.is(status, 201);
  t.is(body.path_with_namespace, project.full_path);
  t.is(body.name, project.name);
  t.is(body.marked_for_deletion_on, null);
  t.is((await owner.get(at(project.full_path))).status, 200);
  t.is((await owner.post(`/projects/${project.id}/repository/branches`, { branch: 'x', ref: 'main' })).status, 201);
});

// Contract: core-5.restore
test('a project restored after its path was taken gets its id behind name and path [unverified]', async (t) => {
  const project = await app.build.project({ empty: true });
  const owner = app.as(project.owner);
  await owner.delete(`/projects/${project.id}`);
  const { body: taker } = await owner.post('/projects', { name: 'Other', path: project.path });
  const { status, body } = await owner.post(`/projects/${project.id}/restore`);
  t.is(status, 201);
  t.is(body.path, `${project.path}-${project.id}`);
  t.is(body.name, `${project.name}-${project.id}`);
  t.is((await owner.get(at(project.full_path))).body.id, taker.id);
});

// Contract: projects-6.removal
test('when its time has come a marked project is removed with everything in it and its repository', async (t) => {
  const project = await app.build.project();
  await app.build.schedule({ project, owner: project.owner });
  const repository = getRepositoryPath(app.context(), project);
  t.true(existsSync(repository));
  const markedAt = app.clock.now();
  await app.as(project.owner).delete(`/projects/${project.id}`);
  await app.work();
  t.is((await app.as(project.owner).get(`/projects/${project.id}`)).status, 200);
  await removeProject(app.context(), project.id, markedAt);
  await app.work();
  t.is((await app.as(project.owner).get(`/projects/${project.id}`)).status, 404);
  t.is((await app.as(project.owner).get(at(project.full_path))).status, 404);
  t.false(existsSync(repository));
  await removeProject(app.context(), project.id, markedAt);
  await app.work();
  const events = await listAuditEvents(project.id);
  t.deepEqual(
    events.filter(({ event }) => /deletion_marked|destroyed/.test(event)).map(({ event }) => event),
    ['project_deletion_marked', 'project_destroyed'],
  );
});

// Contract: projects-6.removal
test('the removal of a project that was restored, or marked anew, changes nothing', async (t) => {
  const project = await app.build.project({ empty: true });
  const markedAt = app.clock.now();
  await app.as(project.owner).delete(`/projects/${project.id}`);
  await removeProject(app.context(), project.id, new Date(markedAt.getTime() - 1));
  t.is((await app.as(project.owner).get(`/projects/${project.id}`)).status, 200);
  await app.as(project.owner).post(`/projects/${project.id}/restore`);
  await removeProject(app.context(), project.id, markedAt);
  t.is((await app.as(project.owner).get(`/projects/${project.id}`)).status, 200);
});

// Contract: readme-decision-23.projects
test('an administrator removes a project at once: hidden at the answer, gone after the job', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const admin = await app.build.admin();
  const { status } = await app.as(admin).delete(`/projects/${project.id}?permanently_remove=true`);
  t.is(status, 202);
  const callers = [app.as(admin), app.as(project.owner), app.anonymous];
  for (const caller of callers) {
    t.is((await caller.get(`/projects/${project.id}`)).status, 404);
    const { body } = await caller.get('/projects?per_page=100');
    t.false(body.some(({ id }: { id: number }) => id === project.id));
  }
  t.is((await app.as(project.owner).post(`/projects/${project.id}/restore`)).status, 404);
  await app.work();
  t.false(existsSync(getRepositoryPath(app.context(), project)));
});

// Contract: core-5.delete
test('an Owner removes at once only a marked project, by its full path', async (t) => {
  const project = await app.build.project({ empty: true });
  const remove = (full_path?: string) =>
    app.as(project.owner).delete(`/projects/${project.id}`, { permanently_remove: true, full_path });
  const early = await remove(project.full_path);
  t.is(early.status, 400);
  t.deepEqual(early.body, { message: 'Project must be marked for deletion first.' });
  await app.as(project.owner).delete(`/projects/${project.id}`);
  const wrong = await remove(project.full_path);
  t.is(wrong.status, 400);
  t.deepEqual(wrong.body, {
    message: '`full_path` is incorrect. You must enter the complete path for the project.',
  });
  t.is((await remove(`${project.full_path}-deletion_scheduled-${project.id}`)).status, 202);
  await app.work();
  t.is((await app.as(project.owner).get(`/projects/${project.id}`)).status, 404);
});

// Contract: core-5.delete
test('only Owners delete and restore a project', async (t) => {
  const project = await app.build.project({ empty: true });
  const maintainer = app.as(await app.build.member(project, 'maintainer'));
  t.is((await maintainer.delete(`/projects/${project.id}`)).status, 403);
  t.is((await maintainer.post(`/projects/${project.id}/restore`)).status, 403);
  t.is((await app.as(await app.build.user()).delete(`/projects/${project.id}`)).status, 404);
  t.is((await app.anonymous.delete(`/projects/${project.id}`)).status, 401);
});

// Contract: core-5.delete
test('a project that changed after If-Unmodified-Since is not deleted', async (t) => {
  const project = await app.build.project({ empty: true });
  const stale = app.as(project.owner).with({ 'If-Unmodified-Since': 'Mon, 31 Dec 2029 00:00:00 GMT' });
  t.is((await stale.delete(`/projects/${project.id}`)).status, 412);
  t.is((await app.as(project.owner).get(`/projects/${project.id}`)).body.marked_for_deletion_on, null);
});

// Contract: projects-6.removal
test('the job that removes a marked project waits for seven days', async (t) => {
  const project = await app.build.project({ empty: true });
  await app.as(project.owner).delete(`/projects/${project.id}`);
  const jobs = await app.context().query<{ start_after: Date }>(sql`
    select j.start_after as "start_after" from pgboss.job j
     where j.name = 'projects.delete' and (j.data->>'project_id')::bigint = ${project.id}`);
  t.deepEqual(
    jobs.map((job) => job.start_after.toISOString()),
    ['2030-01-08T00:00:00.000Z'],
  );
});

// Contract: core-5.restore
test('whoever takes the place of a marked or restored project keeps nobody from deleting or restoring it', async (t) => {
  const project = await app.build.project({ empty: true, name: 'Wanted' });
  const { id, full_path: was } = project;
  const owner = app.as(project.owner);
  const take = (end: string) => owner.post('/projects', { name: `Wanted${end}`, path: `wanted${end}` });
  t.is((await take(`-deletion_scheduled-${id}`)).status, 201);
  t.is((await owner.delete(`/projects/${id}`)).status, 202);
  const { body: marked } = await owner.get(`/projects/${id}`);
  t.regex(marked.path, new RegExp(`^wanted-deletion_scheduled-${id}-[0-9a-f]{8}$`));
  t.is((await owner.post(`/projects/${id}/restore`)).body.path_with_namespace, was);
  await owner.delete(`/projects/${id}`);
  for (const end of ['', `-${id}`]) t.is((await take(end)).status, 201);
  const restored = await owner.post(`/projects/${id}/restore`);
  t.is(restored.status, 201);
  t.regex(restored.body.path, new RegExp(`^wanted-${id}-[0-9a-f]{8}$`));
  t.regex(restored.body.name, new RegExp(`^Wanted-${id}-[0-9a-f]{8}$`));
});

test('of two deletions at once one is 202, the other 400', async (t) => {
  const project = await app.build.project({ empty: true });
  const answers = await Promise.all([1, 2].map(() => app.as(project.owner).delete(`/projects/${project.id}`)));
  t.deepEqual(answers.map(({ status }) => status).sort(), [202, 400]);
});

test('a restored project and one that takes its path at once end with one path each', async (t) => {
  const project = await app.build.project({ empty: true });
  const owner = app.as(project.owner);
  await owner.delete(`/projects/${project.id}`);
  const [restored, response] = await Promise.all([
    owner.post(`/projects/${project.id}/restore`),
    owner.post('/projects', { name: 'Quick', path: project.path }),
  ]);
  t.true([201, 400, 409].includes(restored.status));
  t.true([201, 400, 409].includes(response.status));
  t.true(restored.status === 201 || response.status === 201);
  const { body } = await owner.get(at(project.full_path));
  t.is(body.path, project.path);
});

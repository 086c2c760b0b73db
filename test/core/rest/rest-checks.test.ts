import test from 'ava';
import { get, post, routes } from '../../../api/core/routes.js';
import { NotFound } from '../../../shared/core/values/errors.js';
import { integer, text } from '../../../shared/core/operations/fields.js';
import { can, instance, operation } from '../../../shared/core/operations/operation.js';
import { sql } from 'kysely';
import { project } from '../../../shared/tenancy/projects/project.finder.js';
import { projectPolicy } from '../../../shared/tenancy/projects/project.policy.js';
import { useApp } from '../app.js';

/** The same endpoint behind each authentication requirement: a Maintainer creates a tag that has a name. */
const gated = (authentication: 'signed_in' | 'resource' | 'open') =>
  operation({
    name: 'doSomething',
    summary: 'Create',
    resource: project,
    can: can(projectPolicy, 'admin_project'),
    authentication,
    kind: 'write',
    params: { name: text() },
    run: () => Promise.resolve({ done: true }),
  });

const child = operation({
  name: 'child',
  summary: 'Find a child',
  resource: project,
  authentication: 'open',
  kind: 'read',
  params: { child_id: integer() },
  run: () => Promise.reject(new NotFound()),
});

const unspecified = operation({
  name: 'unspecified',
  summary: 'Find nothing',
  resource: instance,
  authentication: 'open',
  kind: 'read',
  run: () => Promise.reject(NotFound.unspecified()),
});

const app = useApp(
  test,
  routes('', [
    post('/projects/:id/signed', gated('signed_in'), { status: 201 }),
    post('/projects/:id/resource', gated('resource'), { status: 201 }),
    post('/projects/:id/open', gated('open'), { status: 201 }),
    get('/projects/:id/children/:child_id', child),
    get('/unspecified', unspecified),
    post(
      '/accept',
      operation({
        name: 'doSomething',
        summary: 'Accept',
        resource: instance,
        kind: 'write',
        run: () => Promise.resolve({ message: '202 Accepted' }),
      }),
      { status: 202 },
    ),
  ]),
);

const PROJECT_404 = { message: '404 Project Not Found' };

// Contract: rest-3.1
test('a container that the caller may not read is 404, never 403', async (t) => {
  const hidden = await app.build.project();
  const stranger = await app.build.user();
  for (const path of [
    `/projects/${hidden.id}`,
    `/projects/${hidden.id}/pipeline_schedules`,
    `/projects/${hidden.id}/repository/branches`,
  ]) {
    const { status, body } = await app.as(stranger).get(path);
    t.is(status, 404, path);
    t.deepEqual(body, PROJECT_404, path);
  }
  t.deepEqual((await app.as(stranger).get('/projects/999999999')).body, PROJECT_404);
});

// Contract: rest-3.2
test('a visible container without the permission is 403', async (t) => {
  const newProject = await app.build.project({ visibility: 'public' });
  const stranger = await app.build.user();
  const { status, body } = await app.as(stranger).post(`/projects/${newProject.id}/pipeline_schedules`, {
    description: 'x',
    ref: 'main',
    cron: '0 1 * * *',
  });
  t.is(status, 403);
  t.deepEqual(body, { message: '403 Forbidden' });
});

// Contract: rest-3.3
test('a row that is absent is "404 Not found", a named record "404 <Name> Not Found", anything else "404 Not Found"', async (t) => {
  const newProject = await app.build.project();
  const client = app.as(newProject.owner);
  t.deepEqual((await client.get(`/projects/${newProject.id}/children/5`)).body, { message: '404 Not found' });
  t.deepEqual((await client.get(`/projects/${newProject.id}/pipeline_schedules/5`)).body, {
    message: '404 Pipeline Schedule Not Found',
  });
  t.deepEqual((await client.get(`/projects/${newProject.id}/repository/branches/none`)).body, {
    message: '404 Branch Not Found',
  });
  t.deepEqual((await client.get('/unspecified')).body, { message: '404 Not Found' });
});

// Contract: rest-2.16, rest-3.4
test('a signed-in gate answers anonymous callers 401 before anything else', async (t) => {
  const open = await app.build.project({ visibility: 'public' });
  for (const id of [String(open.id), '999999999', 'x']) {
    const { status, body } = await app.anonymous.post(`/projects/${id}/signed`, {});
    t.is(status, 401);
    t.deepEqual(body, { message: '401 Unauthorized' });
  }
  t.is((await app.anonymous.get(`/projects/${open.id}/pipeline_schedules?page=x`)).status, 401);
});

// Contract: rest-3.4
test('behind a signed-in gate parameters come before the container', async (t) => {
  const user = app.as(await app.build.user());
  t.deepEqual((await user.post('/projects/999999999/signed', {})).body, { error: 'name is missing' });
  t.deepEqual((await user.post('/projects/999999999/signed', { name: 'x' })).body, PROJECT_404);
});

// Contract: rest-2.16, rest-3.4
test('without a gate parameters come first, then the container, then the permission', async (t) => {
  const hidden = await app.build.project();
  const open = await app.build.project({ visibility: 'public' });
  t.deepEqual((await app.anonymous.post('/projects/999999999/open', {})).body, { error: 'name is missing' });
  const privately = await app.anonymous.post(`/projects/${hidden.id}/open`, { name: 'x' });
  t.is(privately.status, 404);
  t.deepEqual(privately.body, PROJECT_404);
  const publicly = await app.anonymous.post(`/projects/${open.id}/open`, { name: 'x' });
  t.is(publicly.status, 403);
  t.deepEqual(publicly.body, { message: '403 Forbidden' });
});

// Contract: rest-3.4
test('with the container first, role and container come before parameters', async (t) => {
  const hidden = await app.build.project();
  const open = await app.build.project({ visibility: 'public' });
  t.deepEqual((await app.anonymous.post(`/projects/${hidden.id}/resource`, {})).body, PROJECT_404);
  t.is((await app.anonymous.post(`/projects/${open.id}/resource`, {})).status, 403);
  t.deepEqual((await app.as(open.owner).post(`/projects/${open.id}/resource`, {})).body, { error: 'name is missing' });
});

// Contract: rest-3.4
test('path parameters are checked with the others, before the container', async (t) => {
  const { status, body } = await app.anonymous.get('/projects/999999999/children/abc');
  t.is(status, 400);
  t.deepEqual(body, { error: 'child_id is invalid' });
});

// Contract: rest-3.4
test('paging parameters are checked with the others, before the container, and told together', async (t) => {
  const { status, body } = await app
    .as(await app.build.user())
    .get('/projects/999999999/pipeline_schedules?scope=x&page=a&per_page=0');
  t.is(status, 400);
  t.deepEqual(body, { error: 'scope does not have a valid value, page is invalid, per_page has a value not allowed' });
});

// Contract: rest-3.4
test('the child is looked up last', async (t) => {
  const hidden = await app.build.project();
  t.deepEqual((await app.anonymous.get(`/projects/${hidden.id}/children/5`)).body, PROJECT_404);
});

// Contract: rest-4.1
test('GET is 200, POST create 201 with the object, PUT 200 with the object', async (t) => {
  const newProject = await app.build.project();
  const client = app.as(newProject.owner);
  const path = `/projects/${newProject.id}/pipeline_schedules`;
  const created = await client.post(path, { description: 'x', ref: 'main', cron: '0 1 * * *' });
  t.is(created.status, 201);
  t.is(created.body.description, 'x');
  t.is((await client.get(path)).status, 200);
  const edited = await client.put(`${path}/${created.body.id}`, { description: 'y' });
  t.is(edited.status, 200);
  t.is(edited.body.description, 'y');
});

// Contract: rest-4.2
test('an action is 201, and a message result is its body', async (t) => {
  const schedule = await app.build.schedule();
  const path = `/projects/${schedule.project_id}/pipeline_schedules/${schedule.id}/play`;
  const { status, body } = await app.as(schedule.ownedBy).post(path);
  t.is(status, 201);
  t.deepEqual(body, { message: '201 Created' });
});

// Contract: rest-4.4
test('an asynchronous accept is 202 with a message', async (t) => {
  const { status, body } = await app.as(await app.build.user()).post('/accept');
  t.is(status, 202);
  t.deepEqual(body, { message: '202 Accepted' });
});

// Contract: rest-4.3
test('deleting a schedule is 200 with the deleted schedule', async (t) => {
  const schedule = await app.build.schedule();
  const { status, body } = await app
    .as(schedule.ownedBy)
    .delete(`/projects/${schedule.project_id}/pipeline_schedules/${schedule.id}`);
  t.is(status, 200);
  t.is(body.id, schedule.id);
});

async function deleteUnless(since: string) {
  const schedule = await app.build.schedule();
  await app.context().query(sql`
    update pipeline_schedules set updated_at = '2030-01-01T12:00:00.500Z' where id = ${schedule.id}`);
  const path = `/projects/${schedule.project_id}/pipeline_schedules/${schedule.id}`;
  const answer = await app.as(schedule.ownedBy).with({ 'If-Unmodified-Since': since }).delete(path);
  const left = await app.as(schedule.ownedBy).get(path);
  return { ...answer, left: left.status === 200 };
}

// Contract: rest-4.5
test('DELETE of a record that is newer than If-Unmodified-Since is 412 and deletes nothing', async (t) => {
  const forms = [
    'Tue, 01 Jan 2030 11:59:59 GMT',
    'Tuesday, 01-Jan-30 11:59:59 GMT',
    'Tue Jan  1 11:59:59 2030',
    '2030-01-01T11:59:59Z',
    '2030-01-01T12:59:59+01:00',
  ];
  for (const since of forms) {
    const { status, body, left } = await deleteUnless(since);
    t.is(status, 412, since);
    t.deepEqual(body, { message: '412 Precondition Failed' }, since);
    t.true(left, since);
  }
});

// Contract: rest-4.5
test('DELETE of a record that is as old as If-Unmodified-Since, to the second, goes through', async (t) => {
  t.is((await deleteUnless('Tue, 01 Jan 2030 12:00:00 GMT')).status, 200);
  t.is((await deleteUnless('Tue, 01 Jan 2030 12:00:01 GMT')).status, 200);
});

// Contract: rest-4.5
test('an If-Unmodified-Since that is no date is ignored', async (t) => {
  for (const since of ['yesterday', 'record 1', '', '0', 'Tue, 99 Jan 2030 12:00:00 GMT'])
    t.is((await deleteUnless(since)).status, 200, since);
});

// Contract: rest-4.5
test('If-Unmodified-Since means nothing to other methods', async (t) => {
  const schedule = await app.build.schedule();
  const client = app.as(schedule.ownedBy).with({ 'If-Unmodified-Since': 'Tue, 01 Jan 2019 12:00:00 GMT' });
  const path = `/projects/${schedule.project_id}/pipeline_schedules/${schedule.id}`;
  t.is((await client.get(path)).status, 200);
  t.is((await client.put(path, { description: 'y' })).status, 200);
});

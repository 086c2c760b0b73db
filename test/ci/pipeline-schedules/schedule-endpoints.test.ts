import test from 'ava';
import { SCHEDULE_SETTINGS } from '../../../shared/ci/pipeline-schedules/schedule-settings.js';
import { useApp } from '../../core/app.js';
import { sql } from 'kysely';
import { create, NIGHTLY, getPath, ring } from './schedule-steps.js';

const app = useApp(test);

const LIST_KEYS = [
  'id',
  'description',
  'ref',
  'cron',
  'cron_timezone',
  'next_run_at',
  'active',
  ...SCHEDULE_SETTINGS,
  'created_at',
  'updated_at',
  'owner',
];

// Contract: interface-2.2.cron-timezone, interface-2.2.fields, interface-2.2.owner, interface-3.1.create-active, interface-4.2.create
test('creating answers 201 with the schedule, owned by the caller, without a pipeline and without variables', async (t) => {
  const project = await app.build.project();
  const { status, body } = await create(app.as(project.owner), project);
  t.is(status, 201);
  t.deepEqual(Object.keys(body), [...LIST_KEYS, 'last_pipeline', 'inputs']);
  t.is(body.ref, 'refs/heads/main');
  t.is(body.cron_timezone, 'UTC');
  t.is(body.active, true);
  t.is(body.missed_policy, 'last');
  t.is(body.next_run_at, '2030-01-01T01:00:00.000Z');
  t.is(body.created_at, '2030-01-01T00:00:00.000Z');
  t.is(body.last_pipeline, null);
  t.deepEqual(body.inputs, []);
  t.deepEqual(Object.keys(body.owner), [
    'id',
    'username',
    'public_email',
    'name',
    'state',
    'locked',
    'avatar_url',
    'web_url',
  ]);
  t.is(body.owner.id, project.owner.id);
});

// Contract: schedules-1.1, schedules-2.1, interface-2.2.last-pipeline, interface-4.2.list
test('the list is ordered by id descending, in the list shape, and paged', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const ids = [];
  for (const description of ['a', 'b', 'c']) ids.unshift((await create(client, project, { description })).body.id);
  const { status, body, headers } = await client.get(getPath(project, '?per_page=2'));
  t.is(status, 200);
  t.deepEqual(
    body.map((schedule: { id: number }) => schedule.id),
    ids.slice(0, 2),
  );
  t.deepEqual(Object.keys(body[0]), LIST_KEYS);
  t.is(headers.get('x-total'), '3');
  t.is(headers.get('x-next-page'), '2');
});

// Contract: schedules-1.1, schedules-4.2, interface-3.1.scope
test('scope lists only active or only inactive schedules, and any other scope is refused', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const active = (await create(client, project)).body.id;
  const inactive = (await create(client, project, { active: false })).body.id;
  const ids = async (scope: string) =>
    (await client.get(getPath(project, `?scope=${scope}`))).body.map((schedule: { id: number }) => schedule.id);
  t.deepEqual(await ids('active'), [active]);
  t.deepEqual(await ids('inactive'), [inactive]);
  const { status, body } = await client.get(getPath(project, '?scope=all'));
  t.is(status, 400);
  t.deepEqual(body, { error: 'scope does not have a valid value' });
});

// Contract: interface-2.2.variables, interface-4.2.get
test('one schedule is read with its last pipeline, inputs and variables', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body: schedule } = await create(client, project, { inputs: [{ name: 'n', value: [1, '2'] }] });
  await client.post(getPath(project, `/${schedule.id}/variables`), { key: 'KEY', value: 'v' });
  const { status, body } = await client.get(getPath(project, `/${schedule.id}`));
  t.is(status, 200);
  t.deepEqual(Object.keys(body), [...LIST_KEYS, 'last_pipeline', 'inputs', 'variables']);
  t.deepEqual(body.variables, [{ key: 'KEY', variable_type: 'env_var', value: 'v', raw: false }]);
  t.deepEqual(body.inputs, [{ name: 'n', value: [1, '2'] }]);
  t.is(body.last_pipeline, null);
});

// Contract: schedules-1.2
test('an unknown schedule, one of another project and an id that is no number are told apart', async (t) => {
  const [one, other] = [await app.build.project(), await app.build.project()];
  const { body: foreign } = await create(app.as(other.owner), other);
  const client = app.as(one.owner);
  for (const id of [foreign.id, 999_999_999]) {
    const { status, body } = await client.get(getPath(one, `/${id}`));
    t.is(status, 404);
    t.deepEqual(body, { message: '404 Pipeline Schedule Not Found' });
  }
  const bad = await client.get(getPath(one, '/1a'));
  t.is(bad.status, 400);
  t.deepEqual(bad.body, { error: 'pipeline_schedule_id is invalid' });
});

// Contract: schedules-2.2, interface-3.1.edit, interface-4.2.edit
test('editing changes what is sent, keeps the rest, and computes the next run anew', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body: schedule } = await create(client, project);
  const { status, body } = await client.put(getPath(project, `/${schedule.id}`), {
    cron: '30 2 * * *',
    cron_timezone: 'Tokyo',
    description: 'Early',
    missed_policy: 'skip',
  });
  t.is(status, 200);
  t.deepEqual(Object.keys(body), [...LIST_KEYS, 'last_pipeline', 'inputs']);
  t.is(body.description, 'Early');
  t.is(body.cron_timezone, 'Tokyo', 'kept as sent');
  t.is(body.next_run_at, '2030-01-01T17:30:00.000Z');
  t.is(body.ref, 'refs/heads/main');
  t.is(body.missed_policy, 'skip');
});

// Contract: schedules-6.0, interface-3.1.create-inactive
test('active is set and unset by editing, and an inactive schedule still shows its next run', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body: schedule } = await create(client, project, { active: false });
  t.is(schedule.active, false);
  t.is(schedule.next_run_at, '2030-01-01T01:00:00.000Z');
  t.is((await client.put(getPath(project, `/${schedule.id}`), { active: true })).body.active, true);
  t.is((await client.put(getPath(project, `/${schedule.id}`), { active: 'no' })).body.active, false);
  t.is((await client.put(getPath(project, `/${schedule.id}`), { active: '' })).body.active, false, 'empty is not sent');
});

// Contract: readme-decision-3, schedules-1.7, interface-3.1.delete, interface-4.2.delete
test('deleting answers 200 with the deleted schedule, whose variables and inputs go with it', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body: schedule } = await create(client, project, { inputs: [{ name: 'n', value: 1 }] });
  await client.post(getPath(project, `/${schedule.id}/variables`), { key: 'KEY', value: 'v' });
  const { status, body } = await client.delete(getPath(project, `/${schedule.id}`));
  t.is(status, 200);
  t.is(body.id, schedule.id);
  t.deepEqual(body.inputs, [{ name: 'n', value: 1 }]);
  t.is((await client.get(getPath(project, `/${schedule.id}`))).status, 404);
  t.is((await client.delete(getPath(project, `/${schedule.id}`))).status, 404);
  const [left] = await app.context().query<{ count: number }>(sql`
    select (select count(*) from pipeline_schedule_variables v where v.pipeline_schedule_id = ${schedule.id})
         + (select count(*) from pipeline_schedule_inputs i where i.pipeline_schedule_id = ${schedule.id}) as count`);
  t.is(Number(left?.count), 0);
});

// Contract: schedules-1.6, schedules-7.7, interface-3.1.take-ownership, interface-4.2.take-ownership
test('taking ownership answers 201 and changes only the owner, and the owner who repeats it gets 200', async (t) => {
  const project = await app.build.project();
  const maintainer = await app.build.member(project, 'maintainer');
  const { body: schedule } = await create(app.as(project.owner), project, { active: false });
  const path = getPath(project, `/${schedule.id}/take_ownership`);
  const first = await app.as(maintainer).post(path);
  t.is(first.status, 201);
  t.is(first.body.owner.id, maintainer.id);
  t.is(first.body.active, false, 'stays inactive');
  t.is(first.body.next_run_at, schedule.next_run_at);
  const second = await app.as(maintainer).post(path);
  t.is(second.status, 200);
  t.deepEqual(second.body, first.body);
});

// Contract: schedules-7.10, interface-4.2.play, interface-7.schedule-play
test('playing answers 201 Created, makes a pipeline later and leaves the next run alone', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body: schedule } = await create(client, project);
  const list = getPath(project, `/${schedule.id}/pipelines`);
  t.deepEqual((await client.get(list)).body, []);
  const { status, body } = await client.post(getPath(project, `/${schedule.id}/play`));
  t.is(status, 201);
  t.deepEqual(body, { message: '201 Created' });
  await app.work();
  const pipelines = (await client.get(list)).body;
  t.is(pipelines.length, 1);
  t.is(pipelines[0].source, 'scheduled');
  const { body: after } = await client.get(getPath(project, `/${schedule.id}`));
  t.is(after.next_run_at, schedule.next_run_at);
  t.is(after.last_pipeline.id, pipelines[0].id);
});

// Contract: interface-3.1.play
test('an inactive schedule can be played', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body: schedule } = await create(client, project, { active: false });
  await client.post(getPath(project, `/${schedule.id}/play`));
  await app.work();
  t.is((await client.get(getPath(project, `/${schedule.id}/pipelines`))).body.length, 1);
  t.is((await client.get(getPath(project, `/${schedule.id}`))).body.active, false);
});

// Contract: schedules-1.3, interface-2.2.pipeline, interface-4.2.pipelines
test('the pipelines of a schedule are listed oldest first in the basic shape, with filters', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body: schedule } = await create(client, project);
  for (let index = 0; index < 3; index += 1) await client.post(getPath(project, `/${schedule.id}/play`));
  await app.work();
  const list = async (query = '') => (await client.get(getPath(project, `/${schedule.id}/pipelines${query}`))).body;
  const ids = (pipelines: { id: number }[]) => pipelines.map((pipeline) => pipeline.id);
  const all = await list();
  t.is(all.length, 3);
  t.deepEqual(
    ids(all),
    ids(all).sort((a, b) => a - b),
  );
  t.deepEqual(ids(await list('?sort=desc')), ids(all).reverse());
  t.deepEqual(await list('?status=success'), []);
  t.is((await list('?scope=pending')).length, 3);
  t.is((await list('?scope=branches')).length, 1, 'the newest of each branch');
  t.is((await list('?scope=tags')).length, 0);
  t.is((await list('?created_after=2030-01-02')).length, 0);
  t.is((await list('?updated_before=2030-01-02')).length, 3);
  t.is((await list('?per_page=2')).length, 2);
  t.like(all[0], { project_id: project.id, status: 'pending', source: 'scheduled', ref: 'main' });
  for (const key of [
    'id',
    'iid',
    'project_id',
    'status',
    'source',
    'ref',
    'sha',
    'web_url',
    'created_at',
    'updated_at',
  ])
    t.true(key in all[0], key);
  const bad = await client.get(getPath(project, `/${schedule.id}/pipelines?scope=all`));
  t.deepEqual(bad.body, { error: 'scope does not have a valid value' });
});

// Contract: schedules-2.4, interface-2.2.last-pipeline
test('the last pipeline is the newest one, in the basic shape', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body: schedule } = await create(client, project);
  await client.post(getPath(project, `/${schedule.id}/play`));
  await client.post(getPath(project, `/${schedule.id}/play`));
  await app.work();
  const pipelines = (await client.get(getPath(project, `/${schedule.id}/pipelines`))).body;
  const { body } = await client.get(getPath(project, `/${schedule.id}`));
  t.deepEqual(body.last_pipeline, pipelines[1]);
  t.deepEqual((await client.put(getPath(project, `/${schedule.id}`), {})).body.last_pipeline, pipelines[1]);
});

// Contract: schedules-7.11
test('deleting with a stale If-Unmodified-Since is refused', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body: schedule } = await create(client, project);
  const path = getPath(project, `/${schedule.id}`);
  const early = await client.with({ 'If-Unmodified-Since': 'Mon, 01 Jan 2029 00:00:00 GMT' }).delete(path);
  t.is(early.status, 412);
  t.deepEqual(early.body, { message: '412 Precondition Failed' });
  const sloppy = await client.with({ 'If-Unmodified-Since': 'yesterday' }).delete(path);
  t.is(sloppy.status, 200, 'what cannot be read is ignored');
});

// Contract: schedules-7.8
test('deleting a schedule keeps its pipelines', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body: schedule } = await create(client, project);
  await client.post(getPath(project, `/${schedule.id}/play`));
  await app.work();
  const { body: last } = await client.delete(getPath(project, `/${schedule.id}`));
  const { status, body } = await client.get(`/projects/${project.id}/pipelines/${last.last_pipeline.id}`);
  t.is(status, 200);
  t.is(body.source, 'scheduled');
});

// Contract: schedules-2.5, schedules-2.8
test('schedule and scheduled are one source when pipelines are filtered', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body: schedule } = await create(client, project);
  await client.post(getPath(project, `/${schedule.id}/play`));
  await app.work();
  for (const source of ['schedule', 'scheduled'])
    t.is((await client.get(`/projects/${project.id}/pipelines?source=${source}`)).body.length, 1);
  t.is((await client.get(`/projects/${project.id}/pipelines?source=api`)).body.length, 0);
});

// Contract: schedules-8.1
test('form parameters work as JSON does, and their values are texts', async (t) => {
  const project = await app.build.project();
  const form = new URLSearchParams({ ...NIGHTLY, active: '0' });
  form.append('inputs[0][name]', 'n');
  form.append('inputs[0][value]', '1');
  const { status, body } = await app
    .as(project.owner)
    .raw('POST', `/api/v4${getPath(project)}`, form.toString(), 'application/x-www-form-urlencoded');
  t.is(status, 201);
  t.is(body.active, false);
  t.deepEqual(body.inputs, [{ name: 'n', value: '1' }]);
});

test('a project is named by its full path as well', async (t) => {
  const project = await app.build.project();
  const { status, body } = await app
    .as(project.owner)
    .post(`/projects/${encodeURIComponent(project.full_path)}/pipeline_schedules`, NIGHTLY);
  t.is(status, 201);
  t.is(body.owner.id, project.owner.id);
});

test('nothing rings before its time', async (t) => {
  const project = await app.build.project();
  const { body: schedule } = await create(app.as(project.owner), project);
  await ring(app);
  t.deepEqual((await app.as(project.owner).get(getPath(project, `/${schedule.id}/pipelines`))).body, []);
});

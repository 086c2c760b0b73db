import test from 'ava';
import { useApp } from '../../core/app.js';
import { create, getPath } from './schedule-steps.js';

const app = useApp(test);

async function sendInvalid(more: object) {
  const project = await app.build.project();
  const { status, body } = await create(app.as(project.owner), project, more);
  return { status, body };
}

// Contract: schedules-4.1, interface-4.2.create
test('missing parameters are told together, in the order of their declaration', async (t) => {
  const project = await app.build.project();
  const { status, body } = await app.as(project.owner).post(getPath(project), {});
  t.is(status, 400);
  t.deepEqual(body, { error: 'description is missing, ref is missing, cron is missing' });
});

// Contract: schedules-4.1
test('a blank ref is empty', async (t) => {
  t.deepEqual(await sendInvalid({ ref: ' ' }), { status: 400, body: { error: 'ref is empty' } });
  const project = await app.build.project();
  const { body: schedule } = await create(app.as(project.owner), project);
  const { status, body } = await app.as(project.owner).put(getPath(project, `/${schedule.id}`), { ref: '' });
  t.is(status, 400);
  t.deepEqual(body, { error: 'ref is empty' });
});

// Contract: schedules-4.3
test('a cron that is none is refused', async (t) => {
  for (const cron of ['', 'every day', '* * * *', '0 0 0 * * *', '61 * * * *', '0 24 * * *'])
    t.deepEqual(await sendInvalid({ cron }), { status: 400, body: { message: { cron: ['syntax is invalid'] } } }, cron);
});

// Contract: schedules-4.16
test('six fields are refused, an unverified point decided as the public server does', async (t) => {
  t.deepEqual((await sendInvalid({ cron: '0 0 1 * * *' })).body, { message: { cron: ['syntax is invalid'] } });
});

// Contract: schedules-4.16
test('a date that never comes gets a clear error', async (t) => {
  t.deepEqual((await sendInvalid({ cron: '0 0 30 2 *' })).body, {
    message: { cron: ['never runs: none of its months has such a day'] },
  });
});

// Contract: schedules-4.4
test('a zone that is none is refused, also an empty one and one in the wrong case', async (t) => {
  for (const cron_timezone of ['Mars/Olympus', '', 'utc', 'europe/berlin'])
    t.deepEqual(
      await sendInvalid({ cron_timezone }),
      { status: 400, body: { message: { cron_timezone: ['syntax is invalid'] } } },
      cron_timezone,
    );
});

// Contract: schedules-4.5
test('a blank description is refused', async (t) => {
  t.deepEqual((await sendInvalid({ description: ' ' })).body, { message: { description: ["can't be blank"] } });
});

test('several broken rules are told together', async (t) => {
  t.deepEqual((await sendInvalid({ description: '', cron: 'x', cron_timezone: 'y' })).body, {
    message: {
      cron: ['syntax is invalid'],
      cron_timezone: ['syntax is invalid'],
      description: ["can't be blank"],
    },
  });
});

// Contract: schedules-4.6, interface-7.schedule-ref
test('a short ref that matches nothing is ambiguous, alone in the body', async (t) => {
  t.deepEqual(await sendInvalid({ ref: 'nowhere', cron: 'x' }), {
    status: 400,
    body: { message: { ref: ['is ambiguous'] } },
  });
});

// Contract: schedules-4.19, interface-4.2.create-ref
test('a short ref that is both a branch and a tag is ambiguous, and its full forms are not', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  await client.post(`/projects/${project.id}/repository/tags`, { tag_name: 'main', ref: 'main' });
  const { status, body } = await create(client, project);
  t.is(status, 400);
  t.deepEqual(body, { message: { ref: ['is ambiguous'] } });
  for (const ref of ['refs/heads/main', 'refs/tags/main']) t.is((await create(client, project, { ref })).body.ref, ref);
});

// Contract: schedules-4.19, interface-2.2.ref
test('a short ref is expanded to the tag or branch that it means', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  await client.post(`/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  const { body: schedule } = await create(client, project, { ref: 'v1' });
  t.is(schedule.ref, 'refs/tags/v1');
  const { body } = await client.put(getPath(project, `/${schedule.id}`), { ref: 'main' });
  t.is(body.ref, 'refs/heads/main');
  const bad = await client.put(getPath(project, `/${schedule.id}`), { ref: 'nowhere' });
  t.deepEqual(bad.body, { message: { ref: ['is ambiguous'] } });
});

// Contract: schedules-4.18
test('a full ref is stored untouched, without looking whether it exists', async (t) => {
  const project = await app.build.project();
  const { status, body } = await create(app.as(project.owner), project, { ref: 'refs/heads/not/yet' });
  t.is(status, 201);
  t.is(body.ref, 'refs/heads/not/yet');
});

// Contract: schedules-4.17, interface-4.2.create-zone
test('long zone names and IANA names are computed with and answered as they were sent', async (t) => {
  const project = await app.build.project();
  for (const [cron_timezone, next] of [
    ['Pacific Time (US & Canada)', '2030-01-01T09:00:00.000Z'],
    ['Eastern Time (US & Canada)', '2030-01-01T06:00:00.000Z'],
    ['Tokyo', '2030-01-01T16:00:00.000Z'],
    ['Europe/Berlin', '2030-01-02T00:00:00.000Z'],
    ['UTC', '2030-01-01T01:00:00.000Z'],
  ] as const) {
    const { body } = await create(app.as(project.owner), project, { cron_timezone });
    t.is(body.cron_timezone, cron_timezone);
    t.is(body.next_run_at, next, cron_timezone);
  }
});

// Contract: schedules-4.16
test('surrounding blanks of a cron are dropped', async (t) => {
  const project = await app.build.project();
  const { body } = await create(app.as(project.owner), project, { cron: ' 0 1 * * * ' });
  t.is(body.cron, '0 1 * * *');
});

// Contract: schedules-4.8
test('a project takes ten schedules, inactive ones counted', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  for (let count = 0; count < 10; count += 1) t.is((await create(client, project, { active: count > 4 })).status, 201);
  const { status, body } = await create(client, project);
  t.is(status, 400);
  t.deepEqual(body, { message: { base: ['Maximum number of ci pipeline schedules (10) exceeded'] } });
});

// Contract: schedules-4.8
test('of two that take the last place at once one gets it', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  for (let count = 0; count < 9; count += 1) await create(client, project);
  const answers = await Promise.all([1, 2, 3].map(() => create(client, project)));
  t.deepEqual(answers.map((answer) => answer.status).sort(), [201, 400, 400]);
});

test('an unknown missed policy is refused', async (t) => {
  t.deepEqual((await sendInvalid({ missed_policy: 'none' })).body, {
    error: 'missed_policy does not have a valid value',
  });
});

test('parameters are checked before the project is looked for', async (t) => {
  const user = await app.build.user();
  const { status, body } = await app.as(user).post('/projects/999999/pipeline_schedules', {});
  t.is(status, 400);
  t.deepEqual(body, { error: 'description is missing, ref is missing, cron is missing' });
});

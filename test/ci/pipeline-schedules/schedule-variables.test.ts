import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { create, getPath, ring, getRuns } from './schedule-steps.js';

const app = useApp(test);

async function schedule() {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { body } = await create(client, project);
  const variables = (key = '') => getPath(project, `/${body.id}/variables${key}`);
  const add = (key: unknown, more: object = {}) => client.post(variables(), { key, value: 'v', ...more });
  return { project, client, schedule: body as { id: number }, variables, add };
}

const ONLY = "can contain only letters, digits and '_'.";

// Contract: schedules-1.9, schedules-2.6, interface-2.2.variable
test('a variable is created, 201 with key, type and value', async (t) => {
  const { add } = await schedule();
  const { status, body } = await add('KEY', { value: 'x' });
  t.is(status, 201);
  t.deepEqual(body, { key: 'KEY', variable_type: 'env_var', value: 'x', raw: false });
  t.is((await add('FILE', { variable_type: 'file' })).body.variable_type, 'file');
});

// Contract: schedules-1.10, schedules-4.15
test('a variable is read by its key, and an unknown one is 404', async (t) => {
  const { add, client, variables } = await schedule();
  await add('KEY');
  const { status, body } = await client.get(variables('/KEY'));
  t.is(status, 200);
  t.deepEqual(body, { key: 'KEY', variable_type: 'env_var', value: 'v', raw: false });
  for (const answer of [
    await client.get(variables('/key')),
    await client.put(variables('/key'), { value: 'x' }),
    await client.delete(variables('/key')),
  ]) {
    t.is(answer.status, 404);
    t.deepEqual(answer.body, { message: '404 Pipeline Schedule Variable Not Found' });
  }
});

// Contract: schedules-1.11, schedules-8.2, interface-4.2.variable-edit
test("editing a variable takes a value, and keeps the type that isn't sent", async (t) => {
  const { add, client, variables } = await schedule();
  await add('KEY', { variable_type: 'file' });
  const { status, body } = await client.put(variables('/KEY'), { key: 'OTHER', value: 'w' });
  t.is(status, 200);
  t.deepEqual(body, { key: 'KEY', variable_type: 'file', value: 'w', raw: false }, 'the key of the path counts');
  t.is((await client.put(variables('/KEY'), { value: '', variable_type: 'env_var' })).body.variable_type, 'env_var');
  const without = await client.put(variables('/KEY'), { variable_type: 'file' });
  t.is(without.status, 400);
  t.deepEqual(without.body, { error: 'value is missing' });
});

// Contract: interface-2.2.variable, interface-4.2.variable-delete
test('deleting a variable answers 202 with its key and value', async (t) => {
  const { add, client, variables } = await schedule();
  await add('KEY', { value: 'last words' });
  const { status, body } = await client.delete(variables('/KEY'));
  t.is(status, 202);
  t.deepEqual(body, { key: 'KEY', value: 'last words' });
  t.is((await client.delete(variables('/KEY'))).status, 404);
});

// Contract: schedules-4.13, interface-4.2.variable-create, interface-8.schedule-variable-key
test('keys are letters, digits and underscores, at most 255 of them', async (t) => {
  const { add } = await schedule();
  const sendInvalid = async (key: string) => {
    const { status, body } = await add(key);
    t.is(status, 400, key);
    return body.message.key;
  };
  t.deepEqual(await sendInvalid('a-b'), [ONLY]);
  t.deepEqual(await sendInvalid('ä'), [ONLY]);
  t.deepEqual(await sendInvalid('a b'), [ONLY]);
  t.deepEqual(await sendInvalid(''), ["can't be blank", ONLY]);
  t.deepEqual(await sendInvalid('  '), ["can't be blank", ONLY]);
  t.deepEqual(await sendInvalid('K'.repeat(256)), ['is too long (maximum is 255 characters)']);
  t.is((await add('K'.repeat(255))).status, 201);
});

// Contract: schedules-4.13
test('keys are trimmed, case-sensitive and unique in their schedule', async (t) => {
  const { add } = await schedule();
  t.is((await add(' KEY ')).body.key, 'KEY');
  const { status, body } = await add('KEY');
  t.is(status, 400);
  t.deepEqual(body, { message: { key: ['has already been taken'] } });
  t.is((await add('key')).status, 201);
  const other = await schedule();
  t.is((await other.add('KEY')).status, 201, 'another schedule');
});

test('of two that take one key at once one gets it', async (t) => {
  const { add } = await schedule();
  const answers = await Promise.all([1, 2, 3, 4].map(() => add('KEY')));
  t.deepEqual(answers.map((answer) => answer.status).sort(), [201, 400, 400, 400]);
});

// Contract: schedules-4.14, interface-4.2.variable-create
test('key and value are required, and the type is one of two', async (t) => {
  const { client, variables, add } = await schedule();
  t.deepEqual((await client.post(variables(), {})).body, { error: 'key is missing, value is missing' });
  const { status, body } = await add('KEY', { variable_type: 'text' });
  t.is(status, 400);
  t.deepEqual(body, { error: 'variable_type does not have a valid value' });
});

// Contract: schedules-1.13
test('there is no list of variables', async (t) => {
  const { client, variables } = await schedule();
  t.is((await client.get(variables())).status, 405);
});

test('values are stored encrypted and bound to their row, so one moved to another key does not open', async (t) => {
  const { add, schedule: newSchedule, client, variables } = await schedule();
  await add('ONE', { value: 'plain to see' });
  await add('TWO', { value: 'other' });
  const rows = await app.context().query<{ value: Buffer }>(sql`
    select v.value from pipeline_schedule_variables v where v.pipeline_schedule_id = ${newSchedule.id}`);
  for (const row of rows) t.false(Buffer.from(row.value).includes('plain'));
  await app.context().query(sql`
    update pipeline_schedule_variables v set value = (select w.value from pipeline_schedule_variables w
      where w.pipeline_schedule_id = ${newSchedule.id} and w.key = 'ONE')
     where v.pipeline_schedule_id = ${newSchedule.id} and v.key = 'TWO'`);
  t.is((await client.get(variables('/TWO'))).status, 500);
});

test('a run whose variable cannot be decrypted fails with that reason, and other runs are made', async (t) => {
  const broken = await schedule();
  await broken.add('KEY');
  await app.context().query(sql`
    update pipeline_schedule_variables v set value = ${Buffer.from([1, 2, 3])}
     where v.pipeline_schedule_id = ${broken.schedule.id}`);
  const whole = await schedule();
  await broken.client.post(getPath(broken.project, `/${broken.schedule.id}/play`));
  await whole.client.post(getPath(whole.project, `/${whole.schedule.id}/play`));
  await app.work();
  t.like((await getRuns(app, broken.schedule))[0], {
    state: 'failed',
    reason: 'A variable or input of the schedule cannot be decrypted.',
  });
  t.is((await getRuns(app, whole.schedule))[0]?.state, 'fired');
});

// Contract: schedules-7.2
test("a schedule's variables and inputs become its pipeline's", async (t) => {
  const { add, project, client, schedule: newSchedule } = await schedule();
  await add('KEY', { value: 'secret', variable_type: 'file' });
  await client.put(getPath(project, `/${newSchedule.id}`), { inputs: [{ name: 'n', value: [1] }] });
  await client.post(getPath(project, `/${newSchedule.id}/play`));
  await ring(app);
  const [run] = await getRuns(app, newSchedule);
  const [row] = await app.context().query<{ key: string; variable_type: string; value: Buffer }>(sql`
    select v.key, v.variable_type, v.value from pipeline_variables v where v.pipeline_id = ${run?.pipeline_id}`);
  t.like(row, { key: 'KEY', variable_type: 'file' });
  const value = app.services.keys.decrypt(
    Buffer.from(row?.value as Buffer),
    `pipeline_variables:${run?.pipeline_id}:KEY`,
  );
  t.is(value, 'secret');
  const [stored] = await app.context().query<{ iid: number; inputs: Buffer }>(sql`
    select pl.iid, pl.inputs from pipelines pl where pl.id = ${run?.pipeline_id}`);
  const inputs = app.services.keys.decrypt(
    Buffer.from(stored?.inputs as Buffer),
    `pipelines.inputs:${project.id}:${stored?.iid}`,
  );
  t.is(inputs, '{"n":[1]}');
});

// Contract: schedules-with-variables
test('a schedule is saved with its variables by their keys, or nothing of it is', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const newSchedule = await create(client, project, {
    variables: [
      { key: 'A', value: '1' },
      { key: 'F', value: 'x\ny', variable_type: 'file' },
    ],
  });
  t.is(newSchedule.status, 201);
  const path = getPath(project, `/${newSchedule.body.id}`);
  const stored = async () =>
    ((await client.get(path)).body.variables as { key: string; value: string; variable_type: string }[])
      .map(({ key, value, variable_type: type }) => [key, value, type].join(' '))
      .toSorted();
  t.deepEqual(await stored(), ['A 1 env_var', 'F x\ny file']);
  app.clock.advance('1 second');
  const variables = [
    { key: 'F', value: 'z' },
    { key: 'A', destroy: true },
    { key: 'B', value: '2' },
    { key: 'NONE', destroy: true },
  ];
  t.is((await client.put(path, { variables, unchanged_since: newSchedule.body.updated_at })).status, 200);
  t.deepEqual(await stored(), ['B 2 env_var', 'F z file']);
  const late = await client.put(path, {
    variables: [{ key: 'B', value: '3' }],
    unchanged_since: newSchedule.body.updated_at,
  });
  t.is(late.status, 409);
  const bad = await client.put(path, {
    description: 'Other',
    variables: [
      { key: 'B', value: '4' },
      { key: 'no good', value: 'x' },
    ],
  });
  t.is(bad.status, 400);
  t.deepEqual(bad.body.message, { 'variables.key': [ONLY] });
  t.deepEqual(await stored(), ['B 2 env_var', 'F z file']);
  t.not((await client.get(path)).body.description, 'Other');
  const count = (await client.get(getPath(project))).body.length;
  t.is((await create(client, project, { variables: [{ key: '!', value: 'x' }] })).status, 400);
  t.is((await client.get(getPath(project))).body.length, count);
});

// Contract: schedules-with-variables
test('a variable that changes by its own endpoint is an edit of its schedule, which others are told of [unverified]', async (t) => {
  const { project, client, schedule: newSchedule } = await schedule();
  const path = getPath(project, `/${newSchedule.id}`);
  const updatedAt = async () => (await client.get(path)).body.updated_at as string;
  // All at one time: each edit comes after the previous one.
  for (const [method, at, sent] of [
    ['POST', '/variables', { key: 'A', value: '1' }],
    ['PUT', '/variables/A', { value: '2' }],
    ['DELETE', '/variables/A', undefined],
    ['PUT', '', { description: 'Weekly' }],
  ] as const) {
    const before = await updatedAt();
    t.true((await client.request(method, `${path}${at}`, sent)).status < 300, `${method} ${at}`);
    t.true((await updatedAt()) > before, `${method} ${at}`);
    t.is((await client.put(path, { description: 'Mine', unchanged_since: before })).status, 409, `${method} ${at}`);
  }
  t.is((await client.get(path)).body.description, 'Weekly');
  t.is((await client.put(path, { description: 'Mine', unchanged_since: await updatedAt() })).status, 200);
});

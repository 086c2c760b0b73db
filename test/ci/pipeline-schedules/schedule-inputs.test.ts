import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { create, getPath } from './schedule-steps.js';

const app = useApp(test);

async function scheduleWith(inputs: unknown) {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const { status, body } = await create(client, project, { inputs });
  const edit = async (changes: unknown) => client.put(getPath(project, `/${body?.id}`), { inputs: changes });
  return { project, client, status, body, edit };
}

// Contract: schedules-2.7, interface-2.2.inputs
test('inputs keep their JSON types', async (t) => {
  const inputs = [
    { name: 'text', value: 'x' },
    { name: 'number', value: 1.5 },
    { name: 'flag', value: false },
    { name: 'list', value: [1, 'two', { three: 3 }] },
  ];
  const { status, body } = await scheduleWith(inputs);
  t.is(status, 201);
  t.deepEqual(body.inputs, inputs);
});

// Contract: interface-4.2.inputs
test('one input may come as a hash of its own', async (t) => {
  const { body } = await scheduleWith({ name: 'n', value: 1 });
  t.deepEqual(body.inputs, [{ name: 'n', value: 1 }]);
});

// Contract: schedules-5.1
test('editing replaces by name, adds new names and keeps the unnamed', async (t) => {
  const { edit } = await scheduleWith([
    { name: 'a', value: 1 },
    { name: 'b', value: 2 },
  ]);
  const { status, body } = await edit([
    { name: 'b', value: 'two' },
    { name: 'c', value: 3 },
  ]);
  t.is(status, 200);
  t.deepEqual(body.inputs, [
    { name: 'a', value: 1 },
    { name: 'b', value: 'two' },
    { name: 'c', value: 3 },
  ]);
});

// Contract: schedules-5.2, interface-4.2.edit
test('an input is removed with destroy as well as with _destroy, without a value', async (t) => {
  const { edit } = await scheduleWith([
    { name: 'a', value: 1 },
    { name: 'b', value: 2 },
    { name: 'c', value: 3 },
  ]);
  const { body } = await edit([
    { name: 'a', destroy: true },
    { name: 'b', _destroy: 'true' },
  ]);
  t.deepEqual(body.inputs, [{ name: 'c', value: 3 }]);
});

// Contract: schedules-5.3
test('removing an unknown input has no effect, an unverified point decided so', async (t) => {
  const { edit } = await scheduleWith([{ name: 'a', value: 1 }]);
  const { status, body } = await edit([{ name: 'x', destroy: true }]);
  t.is(status, 200);
  t.deepEqual(body.inputs, [{ name: 'a', value: 1 }]);
});

// Contract: schedules-5.4
test('an empty list of inputs changes nothing', async (t) => {
  const { edit } = await scheduleWith([{ name: 'a', value: 1 }]);
  t.deepEqual((await edit([])).body.inputs, [{ name: 'a', value: 1 }]);
});

// Contract: schedules-4.9
test('an input without value or name is refused by its place', async (t) => {
  const { edit, project, client } = await scheduleWith([{ name: 'a', value: 1 }]);
  t.deepEqual((await edit([{ name: 'n' }])).body, { error: 'inputs[0][value] is missing' });
  t.deepEqual((await edit([{ name: 'n', value: 1 }, { value: 1 }])).body, { error: 'inputs[1][name] is missing' });
  t.deepEqual((await edit([{}])).body, { error: 'inputs[0][name] is missing, inputs[0][value] is missing' });
  t.deepEqual((await edit([{ name: 'n', value: { a: 1 } }])).body, { error: 'inputs[0][value] is invalid' });
  t.deepEqual((await edit([{ name: 'n', value: null }])).body, { error: 'inputs[0][value] is invalid' });
  t.deepEqual((await edit('x')).body, { error: 'inputs is invalid' });
  const stranger = await app.build.user();
  const { status } = await app.as(stranger).post(getPath(project), { inputs: [{ name: 'n' }] });
  t.is(status, 400, 'before the project is looked for');
  t.is((await client.get(getPath(project))).status, 200);
});

// Contract: schedules-4.11
test('a name that comes twice in one request is refused', async (t) => {
  const twice = [
    { name: 'n', value: 1 },
    { name: 'n', value: 2 },
  ];
  const { status, body } = await scheduleWith(twice);
  t.is(status, 400);
  t.deepEqual(body, { message: { inputs: ['have duplicate values (name)'] } });
});

// Contract: schedules-4.10
test('more than twenty inputs are refused, those that the schedule has already counted', async (t) => {
  const many = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, value: index }));
  t.deepEqual((await scheduleWith(many(21, 'a'))).body, { message: { inputs: ['exceeds the limit of 20.'] } });
  const { status, edit } = await scheduleWith(many(20, 'a'));
  t.is(status, 201);
  t.deepEqual((await edit(many(1, 'b'))).body, { message: { inputs: ['exceeds the limit of 20.'] } });
  t.is((await edit([...many(1, 'b'), { name: 'a0', destroy: true }])).status, 200);
});

// Contract: schedules-4.12
test('a name over 255 characters and a value over a megabyte are refused, under keys that are unverified', async (t) => {
  t.deepEqual((await scheduleWith([{ name: 'n'.repeat(256), value: 1 }])).body, {
    message: { 'inputs.name': ['is too long (maximum is 255 characters)'] },
  });
  t.deepEqual((await scheduleWith([{ name: 'n', value: 'v'.repeat(1024 * 1024) }])).body, {
    message: { 'inputs.value': ['is too long (maximum is 1048576 characters)'] },
  });
});

test('a refused edit changes nothing', async (t) => {
  const { edit, project, client, body } = await scheduleWith([{ name: 'a', value: 1 }]);
  await edit([
    { name: 'a', value: 2 },
    { name: 'a', value: 3 },
  ]);
  t.deepEqual((await client.get(getPath(project, `/${body.id}`))).body.inputs, [{ name: 'a', value: 1 }]);
});

// Contract: schedules-5.5
test('inputs are stored encrypted', async (t) => {
  const { body } = await scheduleWith([{ name: 'a', value: 'plain to see' }]);
  const rows = await app.context().query<{ value: Buffer }>(sql`
    select i.value from pipeline_schedule_inputs i where i.pipeline_schedule_id = ${body.id}`);
  t.is(rows.length, 1);
  t.false(Buffer.from(rows[0]?.value as Buffer).includes('plain'));
});

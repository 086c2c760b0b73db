import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import { echoRoutes } from './echo.js';

const app = useApp(test, echoRoutes);

const ALLOWED = { name: 'x', colors: ['red'], level: 30, title: 'x', count: 1, on: true, at: '2030-01-01' };
const strict = async (changes: Record<string, unknown>) =>
  (await app.anonymous.post('/strict', { ...ALLOWED, ...changes })).body;
const echo = async (query: string) => (await app.anonymous.get(`/echo?${query}`)).body;
const together = (query: string) => app.anonymous.get(`/together?${query}`);

// Contract: rest-5.1
test('missing parameters are told together, in the order of their declaration', async (t) => {
  const project = await app.build.project();
  const { status, body } = await app.as(project.owner).post(`/projects/${project.id}/pipeline_schedules`, {});
  t.is(status, 400);
  t.deepEqual(body, { error: 'description is missing, ref is missing, cron is missing' });
});

// Contract: rest-5.2
test('a missing parameter with allowed values is told both, for words, numbers and lists [unverified order]', async (t) => {
  const { body } = await app.anonymous.post('/strict', {});
  t.deepEqual(body, {
    error:
      'name is missing, colors is missing, colors does not have a valid value, level is missing, ' +
      'level does not have a valid value, title is missing, count is missing, on is missing, at is missing',
  });
  t.deepEqual((await app.anonymous.post('/echo', { levels: [{}] })).body, {
    error: 'levels[0][level] is missing, levels[0][level] does not have a valid value',
  });
});

// Contract: rest-5.2
test('a value outside the allowed list is told so', async (t) => {
  t.deepEqual(await strict({ level: 31 }), { error: 'level does not have a valid value' });
  t.deepEqual(await strict({ level: '31' }), { error: 'level does not have a valid value' });
  t.deepEqual(await strict({ colors: ['red', 'green', 'pink'] }), { error: 'colors does not have a valid value' });
  t.deepEqual(await echo('color=green'), { error: 'color does not have a valid value' });
  t.deepEqual(await echo('words=red,green'), { error: 'words does not have a valid value' });
});

// Contract: rest-5.3
test('a value of the wrong type is invalid, and that is all that is told of it', async (t) => {
  t.deepEqual(await strict({ level: 'abc' }), { error: 'level is invalid' });
  t.deepEqual(await strict({ name: { a: 1 } }), { error: 'name is invalid' });
  t.deepEqual(await strict({ colors: 'red' }), { error: 'colors is invalid' });
  t.deepEqual(await strict({ count: 'x', on: 'x', at: 'x' }), {
    error: 'count is invalid, on is invalid, at is invalid',
  });
  t.deepEqual(await echo('color[a]=red'), { error: 'color is invalid' });
  t.deepEqual(await echo('numbers[]=1&numbers[]=x&numbers[]=y'), { error: 'numbers is invalid' });
});

// Contract: rest-5.4
test('a blank value where none may be is empty', async (t) => {
  t.deepEqual(await strict({ title: '' }), { error: 'title is empty' });
  t.deepEqual(await strict({ title: ' \t' }), { error: 'title is empty' });
});

// Contract: rest-5.5
test('nested parameters are named with their brackets', async (t) => {
  const schedule = await app.build.schedule();
  const path = `/projects/${schedule.project_id}/pipeline_schedules/${schedule.id}`;
  t.deepEqual((await app.as(schedule.ownedBy).put(path, { inputs: [{ name: 'a' }] })).body, {
    error: 'inputs[0][value] is missing',
  });
  t.deepEqual(await echo('levels[][level]=30&levels[][level]=35'), {
    error: 'levels[1][level] does not have a valid value',
  });
  t.deepEqual(await echo('free[a][b]=1'), { error: 'free[a] is invalid' });
});

// Contract: rest-5.6
test('parameters that exclude each other are told so', async (t) => {
  const { status, body } = await together('a=1&b=2&count=1');
  t.is(status, 400);
  t.deepEqual(body, { error: 'a, b are mutually exclusive' });
  t.deepEqual((await together('name=1&search=2&count=1')).body, { error: 'name, search cannot be used together' });
  t.is((await together('a=1&search=2&count=1')).status, 200);
});

// Contract: rest-5.7
test('where one of several must be given, none is told with all their names', async (t) => {
  const { status, body } = await together('count=1');
  t.is(status, 400);
  t.deepEqual(body, { error: 'a, b, name are missing, at least one parameter must be provided' });
  t.is((await together('a=&count=1')).status, 200);
});

// Contract: rest-5.7
test('broken parameters and broken rules are told together', async (t) => {
  t.deepEqual((await together('')).body, {
    error: 'count is missing, a, b, name are missing, at least one parameter must be provided',
  });
});

const failure = async (how: string) => {
  const { status, body } = await app.anonymous.post('/fail', { how });
  return { status, body };
};

// Contract: rest-5.8
test('record validation has a hash form, a list form and a sentence form', async (t) => {
  t.deepEqual(await failure('hash'), {
    status: 400,
    body: { message: { cron: ['syntax is invalid'], base: ['Too many'] } },
  });
  t.deepEqual(await failure('list'), { status: 422, body: { message: ['Name has already been taken'] } });
  t.deepEqual(await failure('sentence'), { status: 400, body: { message: "Scopes can't be blank" } });
});

// Contract: rest-5.9
test('a bad request has a reason', async (t) => {
  const message = '400 Bad request - Search query is less than 3 characters';
  t.deepEqual(await failure('reason'), { status: 400, body: { message } });
});

// Contract: rest-5.10
test('a conflict is 409 with its text', async (t) => {
  t.deepEqual(await failure('conflict'), { status: 409, body: { message: 'The record is in use' } });
});

// Contract: rest-5.10
test('a lock that somebody else holds is 409', async (t) => {
  const owner = await app.build.user();
  const ctx = app.context();
  await ctx.transaction(async () => {
    await ctx.query(sql`select pg_advisory_xact_lock(4711)`);
    const { status, body } = await app.as(owner).post('/lock');
    t.is(status, 409);
    t.deepEqual(body, { message: '409 Conflict: Resource lock' });
  });
});

// Contract: rest-5.13
test('a fault of ours is 500 without details', async (t) => {
  t.deepEqual(await failure('bug'), { status: 500, body: { message: '500 Internal Server Error' } });
});

// Contract: rest-5.14
test('error bodies have the keys message or error, and OAuth ones their details', async (t) => {
  const keys = new Set(['message', 'error', 'error_description', 'scope']);
  const narrow = await app.build.user({ scopes: ['read_user'] });
  const answers = [
    await app.anonymous.get('/nothing'),
    await app.anonymous.put('/projects'),
    await app.anonymous.get('/user'),
    await app.anonymous.post('/strict', {}),
    await app.as(narrow).get('/projects'),
    ...(await Promise.all(['hash', 'list', 'bug'].map((how) => app.anonymous.post('/fail', { how })))),
  ];
  for (const { body, headers } of answers) {
    t.deepEqual(
      Object.keys(body).filter((key) => !keys.has(key)),
      [],
    );
    t.is(headers.get('content-type'), 'application/json');
  }
});

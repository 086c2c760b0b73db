import test from 'ava';
import { useApp } from '../app.js';
import { echoRoutes } from './echo.js';
import { rawRequest } from '../raw-http.js';

const app = useApp(test, echoRoutes);
const FORM = 'application/x-www-form-urlencoded';

const query = async (text: string) => (await app.anonymous.get(`/echo?${text}`)).body;
const form = async (text: string) => (await app.anonymous.raw('POST', '/api/v4/echo', text, FORM)).body;
const json = async (body: unknown) => (await app.anonymous.post('/echo', body)).body;

// Contract: rest-1.2
test('query, form, JSON and multipart bodies fill one set of parameters, the path winning over the body and the body over the query', async (t) => {
  t.like(await query('text=a&number=1'), { text: 'a', number: 1 });
  const client = app.anonymous;
  t.like((await client.raw('PUT', '/api/v4/echo/7?text=query&number=1&id=9', 'text=form&id=8', FORM)).body, {
    id: '7',
    text: 'form',
    number: 1,
  });
  t.like((await client.raw('PUT', '/api/v4/echo/7?text=query', '{"text":"json","id":8}', 'application/json')).body, {
    id: '7',
    text: 'json',
  });
  const fields = new FormData();
  fields.append('text', 'multipart');
  fields.append('id', '8');
  t.like((await client.raw('PUT', '/api/v4/echo/7?number=2', fields)).body, { id: '7', text: 'multipart', number: 2 });
});

// Contract: rest-1.2
test('GET and DELETE take parameters from a body too, and POST and PUT from the query', async (t) => {
  for (const method of ['GET', 'DELETE']) {
    const headers = { 'Content-Type': 'application/json' };
    const { body } = await rawRequest(app.url, {
      method,
      path: '/api/v4/echo/1',
      headers,
      body: '{"text":"in a body"}',
    });
    t.is(body.text, 'in a body', method);
  }
  t.is((await app.anonymous.raw('POST', '/api/v4/echo?text=query')).body.text, 'query');
  t.is((await app.anonymous.raw('PUT', '/api/v4/echo/1?text=query')).body.text, 'query');
});

// Contract: rest-1.5
test('undeclared parameters are ignored, in every notation', async (t) => {
  const { status, body } = await app.anonymous.get('/echo?text=a&scopes[]=x&unknown[k]=v&constructor=1&__proto__[x]=1');
  t.is(status, 200);
  t.is(body.text, 'a');
  t.false('unknown' in body);
  t.like(await json(JSON.parse('{"text":"a","__proto__":{"number":1},"hasOwnProperty":2}')), { text: 'a' });
  t.is((await json(JSON.parse('{"__proto__":{"number":1}}'))).number, undefined);
});

// Contract: rest-1.6
test('of a name that is repeated the last value counts', async (t) => {
  t.is((await query('text=a&text=b')).text, 'b');
});

// Contract: rest-1.6
test('arrays come as a[]=x, as indexed keys, as JSON, and where declared as one text with commas', async (t) => {
  t.deepEqual((await query('texts[]=x&texts[]=y')).texts, ['x', 'y']);
  t.deepEqual((await query('texts%5B%5D=x')).texts, ['x']);
  t.deepEqual((await query('texts[1]=b&texts[0]=a&texts[10]=c')).texts, ['a', 'b', 'c']);
  t.deepEqual((await json({ texts: ['x', 'y'], numbers: ['1', 2] })).numbers, [1, 2]);
  t.deepEqual((await query('words=red, blue')).words, ['red', 'blue']);
  t.deepEqual((await query('words[]=red')).words, ['red']);
  t.deepEqual(await query('texts=x'), { error: 'texts is invalid' });
});

// Contract: rest-1.6
test('an array may be longer than a thousand elements', async (t) => {
  const { numbers } = await form(Array.from({ length: 3000 }, (_value, index) => `numbers[]=${index}`).join('&'));
  t.is(numbers.length, 3000);
});

// Contract: rest-1.7
test('hashes come as h[k]=v or as JSON', async (t) => {
  t.deepEqual((await query('free[a]=1&free[b.c]=2')).free, [
    ['a', '1'],
    ['b.c', '2'],
  ]);
  t.deepEqual((await query('free[__proto__]=1')).free, [['__proto__', '1']]);
  t.deepEqual((await json({ free: { a: 1 } })).free, [['a', '1']]);
  t.deepEqual(await query('free=1'), { error: 'free is invalid' });
});

// Contract: rest-1.7
test('arrays of hashes come with indexes, with [] where a new element starts when a key repeats, and as JSON', async (t) => {
  const expected = [{ level: 30, note: 'a' }, { level: 40 }, { level: 30, note: 'c' }];
  t.deepEqual(
    (await query('levels[0][level]=30&levels[0][note]=a&levels[1][level]=40&levels[2][note]=c&levels[2][level]=30'))
      .levels,
    expected,
  );
  t.deepEqual(
    (await query('levels[][level]=30&levels[][note]=a&levels[][level]=40&levels[][level]=30&levels[][note]=c')).levels,
    expected,
  );
  t.deepEqual((await json({ levels: expected })).levels, expected);
  const fields = new FormData();
  for (const [name, value] of [
    ['level', '30'],
    ['note', 'a'],
    ['level', '40'],
    ['level', '30'],
    ['note', 'c'],
  ] as const)
    fields.append(`levels[][${name}]`, value);
  t.deepEqual((await app.anonymous.raw('POST', '/api/v4/echo', fields)).body.levels, expected);
});

// Contract: rest-1.7
test('a list inside an element of a list takes any number of values', async (t) => {
  t.deepEqual((await query('levels[][tags][]=x&levels[][tags][]=y&levels[][level]=30')).levels, [
    { tags: ['x', 'y'], level: 30 },
  ]);
});

// Contract: rest-1.7
test('index keys in a JSON hash make an array, also where the indexes have gaps', async (t) => {
  t.deepEqual((await json({ levels: { 0: { level: 30 }, 1: { level: 40 } } })).levels, [{ level: 30 }, { level: 40 }]);
  t.deepEqual(await json({ levels: { 7: { level: 'x' } } }), { error: 'levels[0][level] is invalid' });
});

// Contract: rest-1.7
test('a name that contradicts an earlier one is invalid', async (t) => {
  t.deepEqual(await query('text=a&text[k]=v'), { error: 'text is invalid' });
  t.deepEqual(await query('texts[]=a&texts[k]=v'), { error: 'texts is invalid' });
  t.deepEqual(await query('free[k]=v&free[]=a'), { error: 'free is invalid' });
});

// Contract: rest-1.7
test('a name whose brackets do not fit is a name like any other', async (t) => {
  t.is((await app.anonymous.get('/echo?text[=1&]=2&[x]=3&text]=4&a[b]c=5&=6&&')).status, 200);
});

// Contract: rest-1.8
test('dates are ISO 8601, with a plus sign only when it is encoded', async (t) => {
  const read = async (text: string) => (await query(`at=${text}`)).at ?? 'invalid';
  t.is(await read('2026-03-01T12:00:00Z'), '2026-03-01T12:00:00.000Z');
  t.is(await read('2026-03-01T12:00:00.123456Z'), '2026-03-01T12:00:00.123Z');
  t.is(await read('2026-03-01T12:00:00%2B02:00'), '2026-03-01T10:00:00.000Z');
  t.is(await read('2026-03-01T12:00:00%2B0200'), '2026-03-01T10:00:00.000Z');
  t.is(await read('2026-03-01T12:00:00-05'), '2026-03-01T17:00:00.000Z');
  t.is(await read('2026-03-01T12:00'), '2026-03-01T12:00:00.000Z');
  t.is(await read('2026-03-01t12:00:00z'), '2026-03-01T12:00:00.000Z');
  t.is(await read('2026-03-01'), '2026-03-01T00:00:00.000Z');
  t.deepEqual(await query('at=2026-03-01T12:00:00+02:00'), { error: 'at is invalid' });
});

// Contract: rest-1.8
test('what is no date is invalid', async (t) => {
  for (const text of [
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-03-01T25:00:00Z',
    '2026-03-01T12:61Z',
    '5',
    'true',
  ])
    t.deepEqual(await query(`at=${text}`), { error: 'at is invalid' }, text);
  t.deepEqual(await json({ at: 5 }), { error: 'at is invalid' });
});

// Contract: rest-1.9
test('an integer is digits or a JSON number', async (t) => {
  t.is((await query('number=12')).number, 12);
  t.is((await query('number=-3')).number, -3);
  t.is((await json({ number: 4 })).number, 4);
  t.is((await json({ number: '5' })).number, 5);
  for (const value of ['1.5', 'abc', '1e3', '0x10', '12abc', '١'])
    t.deepEqual(await query(`number=${encodeURIComponent(value)}`), { error: 'number is invalid' }, value);
  for (const value of [1.5, true, [1], { a: 1 }])
    t.deepEqual(await json({ number: value }), { error: 'number is invalid' });
});

// Contract: rest-1.9
test('a typed path parameter that is no integer is invalid', async (t) => {
  const project = await app.build.project();
  const { status, body } = await app.as(project.owner).get(`/projects/${project.id}/pipeline_schedules/123abc`);
  t.is(status, 400);
  t.deepEqual(body, { error: 'pipeline_schedule_id is invalid' });
});

// Contract: rest-1.9
test('ids beyond any that exists match nothing, in path and query', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  for (const id of ['9223372036854775807', '9223372036854775808', '99999999999999999999999999']) {
    t.is((await client.get(`/projects/${project.id}/pipeline_schedules/${id}`)).status, 404, id);
    t.is((await client.get(`/projects/${id}`)).status, 404, id);
    t.deepEqual((await client.get(`/projects?id_after=${id}`)).body, [], id);
    t.deepEqual((await client.get(`/projects?page=${id}`)).status, 405, id);
  }
});

// Contract: rest-1.9
test('a number that its column cannot hold is 400, never 500', async (t) => {
  const { status, body } = await app.anonymous.get('/number?number=3000000000');
  t.is(status, 400);
  t.deepEqual(body, { message: '400 Bad request - A value cannot be stored' });
});

// Contract: rest-1.10
test('booleans are read leniently', async (t) => {
  for (const yes of ['true', 'True', 'TRUE', '1', 't', 'T', 'yes', 'Yes', 'y', 'Y', 'on', 'On'])
    t.is((await query(`on=${yes}`)).on, true, yes);
  for (const no of ['false', 'False', '0', 'f', 'F', 'no', 'No', 'n', 'N', 'off', 'Off'])
    t.is((await query(`on=${no}`)).on, false, no);
  t.is((await json({ on: true })).on, true);
  t.is((await json({ on: 0 })).on, false);
  for (const neither of ['maybe', '2', 'tru', 'null'])
    t.deepEqual(await query(`on=${neither}`), { error: 'on is invalid' });
});

// Contract: rest-1.11
test('an empty integer, boolean or date is null, and an empty string is a value', async (t) => {
  const body = await query('number=&on=&at=&cleared_number=&cleared=');
  t.deepEqual(body, { cleared: '', cleared_number: null, color: 'red' });
  t.deepEqual(await json({ number: null, cleared: null, cleared_number: null }), {
    cleared: null,
    cleared_number: null,
    color: 'red',
  });
});

// Contract: rest-1.11
test('required only checks that the key is there', async (t) => {
  const { body } = await app.anonymous.post('/strict', { name: '' });
  t.false(body.error.includes('name is'));
});

// Contract: rest-1.17
test('text that PostgreSQL cannot store is invalid: NUL and what is no UTF-8', async (t) => {
  t.deepEqual(await query('text=a%00b'), { error: 'text is invalid' });
  t.deepEqual(await query('text=%FF'), { error: 'text is invalid' });
  t.deepEqual(await query('text=100%'), { error: 'text is invalid' });
  t.deepEqual(await query('free[%00]=1'), { error: 'free is invalid' });
  t.deepEqual(await json({ text: 'a\0b' }), { error: 'text is invalid' });
  const { body } = await app.anonymous.raw('POST', '/api/v4/echo', '{"text":"\\ud800"}', 'application/json');
  t.deepEqual(body, { error: 'text is invalid' });
});

// Contract: rest-1.17
test('text outside ASCII arrives whole', async (t) => {
  t.is((await query(`text=${encodeURIComponent('grün 🌱')}`)).text, 'grün 🌱');
  t.is((await form(`text=${encodeURIComponent('grün 🌱')}&color=blue`)).text, 'grün 🌱');
});

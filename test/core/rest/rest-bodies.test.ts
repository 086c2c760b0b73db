import test from 'ava';
import { useApp } from '../app.js';
import { echoRoutes } from './echo.js';
import { rawRequest, rawSocket } from '../raw-http.js';
import { signIn } from '../signed-in.js';

const app = useApp(test, echoRoutes);
const MIB = 1024 * 1024;
const MISMATCH = { error: 'message body does not match declared format' };

const send = (body: string | Buffer | FormData, type?: string) => app.anonymous.raw('POST', '/api/v4/echo', body, type);

// Contract: rest-1.3
test('JSON, forms and multipart are read, whatever parameters their type has', async (t) => {
  t.is((await send('{"text":"a"}', 'application/json; charset=UTF-8')).body.text, 'a');
  t.is((await send('{"text":"a"}', 'Application/JSON')).body.text, 'a');
  t.is((await send('text=a', 'application/x-www-form-urlencoded; charset=utf-8')).body.text, 'a');
  const part = '--X\r\nContent-Disposition: form-data; name="text"\r\n\r\na\r\n--X--\r\n';
  t.is((await send(part, 'Multipart/Form-Data; charset=utf-8; boundary="X"')).body.text, 'a');
});

// Contract: rest-1.3
test('another type of body is 415 and names it', async (t) => {
  for (const type of [
    'text/xml',
    'text/plain',
    'application/xml',
    'application/octet-stream',
    'application/vnd.api+json',
  ]) {
    const { status, body } = await send('<a/>', `${type}; charset=utf-8`);
    t.is(status, 415);
    t.deepEqual(body, { error: `The provided content-type '${type}' is not supported.` });
  }
});

// Contract: rest-1.3
test('an empty body may have any type', async (t) => {
  for (const type of ['text/xml', 'application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
    const headers = { 'Content-Type': type, 'Content-Length': '0' };
    t.is((await rawRequest(app.url, { method: 'POST', path: '/api/v4/echo', headers })).status, 200, type);
  }
  t.is((await send(' \n', 'application/json')).status, 200);
  t.is((await send('null', 'application/json')).status, 200);
});

// Contract: rest-1.3
test('a body without a type is a form, or JSON where it is JSON', async (t) => {
  const untyped = async (body: string) =>
    (await rawRequest(app.url, { method: 'POST', path: '/api/v4/echo', body })).body;
  t.is((await untyped('text=a')).text, 'a');
  t.is((await untyped(' {"text":"a&b"}')).text, 'a&b');
  t.is((await untyped('{"text":=1&text=b')).text, 'b');
  t.is((await untyped(`text=${','.repeat(20_000)}`)).text.length, 20_000);
  t.is((await untyped(JSON.stringify({ text: '&'.repeat(20_000) }))).text.length, 20_000);
});

// Contract: rest-1.3
test('with every method that changes something a body without a type arrives whole, lists and hashes too', async (t) => {
  const project = await app.build.project();
  const headers = { 'PRIVATE-TOKEN': project.owner.token };
  const base = `/api/v4/projects/${project.id}`;
  const untyped = async (method: string, path: string, body: string) => {
    const { status, body: answer, text } = await rawRequest(app.url, { method, path: `${base}${path}`, headers, body });
    t.true(status < 300, text);
    return answer;
  };
  const created = await untyped(
    'POST',
    '/pipeline_schedules',
    JSON.stringify({ description: 'Nightly', ref: 'main', cron: '0 1 * * *', active: true }),
  );
  const one = `/pipeline_schedules/${created.id}`;
  t.false((await untyped('PUT', one, '{"active": false}')).active);
  t.true((await untyped('PUT', one, 'active=true')).active);
  t.deepEqual((await untyped('PUT', '', '{"topics": ["a", "b"]}')).topics, ['a', 'b']);
  t.deepEqual((await untyped('PUT', '', 'topics[]=c&topics[]=d')).topics, ['c', 'd']);
  const free = async (body: string) => (await rawRequest(app.url, { method: 'POST', path: '/api/v4/echo', body })).body;
  t.like(await free('{"levels":[{"level":30,"tags":["x"]}],"free":{"a":"1"}}'), {
    levels: [{ level: 30, tags: ['x'] }],
    free: [['a', '1']],
  });
  t.like(await free('levels[][level]=30&levels[][tags][]=x&free[a]=1'), {
    levels: [{ level: 30, tags: ['x'] }],
    free: [['a', '1']],
  });
});

// Contract: rest-1.3
test('JSON without a type that is no object is refused like JSON that says so', async (t) => {
  const { status, body } = await rawRequest(app.url, { method: 'POST', path: '/api/v4/echo', body: '["text"]' });
  t.is(status, 400);
  t.deepEqual(body, MISMATCH);
});

// Contract: rest-1.3
test('a body without a type is read beside REST too: by GraphQL and by the endpoints of pages', async (t) => {
  const query = '{ queryComplexity { limit } }';
  for (const body of [JSON.stringify({ query }), new URLSearchParams({ query }).toString()]) {
    const answer = await rawRequest(app.url, { method: 'POST', path: '/api/graphql', body });
    t.is(answer.body.data?.queryComplexity.limit, 200, body);
  }
  const batch = JSON.stringify([{ query }, { query }]);
  t.is((await rawRequest(app.url, { method: 'POST', path: '/api/graphql', body: batch })).body.length, 2);
  const user = await app.build.user();
  const { cookie, csrf } = await signIn(app, user);
  const headers = { Cookie: cookie, 'X-CSRF-Token': csrf };
  const token = { name: 'Laptop', 'scopes[]': 'api' };
  for (const body of [JSON.stringify({ name: 'Laptop', scopes: ['api'] }), new URLSearchParams(token).toString()]) {
    const path = '/-/user_settings/personal_access_tokens';
    const answer = await rawRequest(app.url, { method: 'POST', path, headers, body });
    t.is(answer.body?.name, 'Laptop', answer.text);
  }
});

// Contract: rest-1.4
test('malformed JSON is 400 and says that the body does not match the declared format [unverified wording]', async (t) => {
  for (const text of ['{', '{"text":}', 'text=a', '{"text":"a"} x', "{'text':'a'}", '"\\ud8', '\u0001']) {
    const { status, body } = await send(text, 'application/json');
    t.is(status, 400, text);
    t.deepEqual(body, MISMATCH, text);
  }
});

// Contract: rest-1.4
test('JSON that is no object is refused like malformed JSON', async (t) => {
  for (const text of ['[1]', '"text"', '5', 'true'])
    t.deepEqual((await send(text, 'application/json')).body, MISMATCH, text);
});

// Contract: rest-1.4
test('a byte order mark before JSON is skipped', async (t) => {
  t.is((await send('\ufeff{"text":"a"}', 'application/json')).body.text, 'a');
});

// Contract: rest-1.4
test('a body in another charset is decoded, and one that does not hold it is refused', async (t) => {
  const latin = Buffer.from('{"text":"gr\u00fcn"}', 'latin1');
  t.is((await send(latin, 'application/json; charset=iso-8859-1')).body.text, 'grün');
  t.deepEqual((await send(latin, 'application/json')).body, MISMATCH);
  t.deepEqual((await send(Buffer.from('text=\xff', 'latin1'), 'application/x-www-form-urlencoded')).body, MISMATCH);
  t.is((await send('{}', 'application/json; charset=klingon')).status, 415);
});

// Contract: rest-1.3
test('a compressed body is 415', async (t) => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  t.is((await rawRequest(app.url, { method: 'POST', path: '/api/v4/echo', headers, body: 'x' })).status, 415);
});

// Contract: rest-1.18, rest-5.12
test('a body of 20 MiB is read and one byte more is 413, declared or chunked', async (t) => {
  const user = await app.build.user();
  const measure = (body: string) => app.as(user).raw('POST', '/api/v4/measure', body, 'application/json');
  const body = (bytes: number) => `{"text":"${'a'.repeat(bytes - 11)}"}`;
  t.is((await measure(body(20 * MIB))).body.length, 20 * MIB - 11);
  const rejection = await measure(body(20 * MIB + 1));
  t.is(rejection.status, 413);
  t.deepEqual(rejection.body, { message: '413 Request Entity Too Large' });
  const length = 20 * MIB + 1;
  const head = [
    'POST /api/v4/measure HTTP/1.1',
    'Host: x',
    `PRIVATE-TOKEN: ${user.token}`,
    'Connection: close',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ].join('\r\n');
  const chunked = `${head}\r\n\r\n${length.toString(16)}\r\n${body(length)}\r\n0\r\n\r\n`;
  t.regex(await rawSocket(app.url, chunked), /^HTTP\/1\.1 413 [\s\S]*413 Request Entity Too Large/);
});

// Contract: rest-1.18
test('10,000 parameters are read and 10,001 refused, in queries, forms and JSON', async (t) => {
  const pairs = (count: number) => Array.from({ length: count }, () => 'x[]=').join('&');
  const forms = 'application/x-www-form-urlencoded';
  t.is((await send(pairs(10_000), forms)).status, 200);
  t.is((await send(pairs(10_001), forms)).status, 400);
  const keys = (count: number) => JSON.stringify({ texts: Array.from({ length: count - 1 }, () => '') });
  t.is((await send(keys(10_000), 'application/json')).status, 200);
  const { status, body } = await send(keys(10_001), 'application/json');
  t.is(status, 400);
  t.deepEqual(body, { error: 'the request has more than 10000 parameters' });
});

// Contract: rest-1.18
test('32 levels are read and 33 refused, in forms and JSON', async (t) => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  t.is((await send(nested(32), 'application/json')).status, 200);
  t.is((await send(nested(33), 'application/json')).status, 400);
  const bodyOfDepth = (levels: number) => `a${'[k]'.repeat(levels - 1)}=1`;
  t.is((await send(bodyOfDepth(32), 'application/x-www-form-urlencoded')).status, 200);
  t.deepEqual((await send(bodyOfDepth(33), 'application/x-www-form-urlencoded')).body, {
    error: 'the parameters are nested deeper than 32 levels',
  });
  t.is((await send('['.repeat(MIB), 'application/json')).status, 400);
});

// Contract: rest-1.3.1
test('multipart fields nest like those of forms, and a content type does not make them files', async (t) => {
  const part = (name: string, value: string, type = '') =>
    `--X\r\nContent-Disposition: form-data; name="${name}"\r\n${type}\r\n${value}\r\n`;
  const body =
    part('text', 'grün', 'Content-Type: text/plain; charset=utf-8\r\n') +
    part('free[a]', '1') +
    part('texts[]', 'x') +
    part('texts[]', 'y');
  const answer = await send(`${body}--X--\r\n`, 'multipart/form-data; boundary=X');
  t.like(answer.body, { text: 'grün', free: [['a', '1']], texts: ['x', 'y'] });
});

// Contract: rest-1.3.1
test('a file is refused by operations that take none', async (t) => {
  const fields = new FormData();
  fields.append('text', new Blob(['content']), 'a.txt');
  const { status, body } = await send(fields);
  t.is(status, 400);
  t.deepEqual(body, { error: 'text is invalid' });
});

// Contract: rest-1.3.1
test('a file reaches the operation that declares it, and is gone once the request is answered', async (t) => {
  const { owner } = await app.build.project();
  const fields = new FormData();
  fields.append('file', new Blob(['content'], { type: 'text/csv' }), '../../evil.csv');
  fields.append('name', 'a name');
  const { status, body } = await app.as(owner).raw('POST', '/api/v4/receive', fields);
  t.is(status, 200);
  t.like(body, { name: 'a name', filename: '../../evil.csv', mediaType: 'text/csv', bytes: 7, content: 'content' });
  t.true(body.path.startsWith(app.services.config.dataDir));
  t.deepEqual((await app.anonymous.get(`/there?path=${encodeURIComponent(body.path)}`)).body, { exists: false });
});

// Contract: rest-1.3.1
test('a file over its limit is 413 and leaves nothing behind', async (t) => {
  const fields = new FormData();
  fields.append('file', new Blob(['a'.repeat(MIB + 1)]), 'big.bin');
  const { status, body } = await app.anonymous.raw('POST', '/api/v4/receive', fields);
  t.is(status, 413);
  t.deepEqual(body, { message: '413 Request Entity Too Large' });
});

// Contract: rest-1.3.1
test('a file where text is wanted, and text where a file is wanted, are invalid', async (t) => {
  const fields = new FormData();
  fields.append('file', 'text');
  t.deepEqual((await app.anonymous.raw('POST', '/api/v4/receive', fields)).body, { error: 'file is invalid' });
  t.deepEqual((await app.anonymous.post('/receive', {})).body, { error: 'file is missing' });
});

// Contract: rest-1.3.1
test('broken multipart bodies are 400, and none hangs', async (t) => {
  const type = 'multipart/form-data; boundary=X';
  for (const body of [
    '',
    'nonsense',
    '--X',
    '--X\r\nContent-Disposition: form-data; name="text"\r\n\r\nunfinished',
    '--Y--\r\n',
  ])
    t.true([200, 400].includes((await send(`${body} `, type)).status), body);
  t.deepEqual((await send('--X--\r\n', 'multipart/form-data')).body, MISMATCH);
  t.is((await send(`--X\r\n${'Content-Disposition: form-data; name="'}${'a'.repeat(22 * MIB)}`, type)).status, 413);
  const invalid = Buffer.concat([
    Buffer.from('--X\r\nContent-Disposition: form-data; name="text"\r\n\r\n'),
    Buffer.from([0xff]),
    Buffer.from('\r\n--X--\r\n'),
  ]);
  t.deepEqual((await send(invalid, type)).body, MISMATCH);
});

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { bindRoute } from '../../../api/core/rest/bound-route.js';
import type { RestRoute } from '../../../api/core/routes.js';
import { useApp } from '../app.js';
import type { TestApp } from '../app.js';
import { echoRoutes } from './echo.js';
import { rawSocket } from '../raw-http.js';
import { Unfinished, until } from './unfinished.js';
import { nameOf, takesUsers } from '../walk.js';

const app = useApp(test, echoRoutes);
/** A budget so small that a test reaches it. */
const small = useApp(test, echoRoutes, { traffic: { bodiesBytes: 1024 * 1024 } });
/** A very short timeout. */
const hasty = useApp(test, echoRoutes, { traffic: { minimumRate: { bytes: 1000, milliseconds: 100 } } });

/** Of which clients go away. */
const left = useApp(test, echoRoutes);

const MIB = 1024 * 1024;
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const writes = allRoutes.filter(({ method }) => method !== 'GET');
const NOBODY = { 'PRIVATE-TOKEN': 'pat-of-nobody-at-all-0123456789' };

/** The path of a route, its parameters filled with what may be anything. */
const getPath = (route: RestRoute) => `/api/v4${route.path.replace(/:\w+/g, '1')}`;

/** Endpoints other than the REST API that accept a body. */
const OTHER_DOORS = [
  '/api/graphql',
  '/users/sign_in',
  '/users/sign_out',
  '/-/session/password',
  '/-/user_settings/personal_access_tokens',
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/authorize',
];

const claiming = (bytes: number, type = JSON_TYPE) => ({ 'Content-Type': type, 'Content-Length': String(bytes) });

// Contract: rest-2.7
test('a wrong token is 401 on every route before any of the body has come', async (t) => {
  const problems: string[] = [];
  // Where the token of a program is a parameter, credentials of users are not looked at.
  for (const route of writes.filter(takesUsers)) {
    const headers = { ...claiming(1000), ...NOBODY };
    const { status } = await new Unfinished(app, route.method, getPath(route), headers).readAnswer();
    if (status !== 401) problems.push(`${nameOf(route)}: ${status}`);
  }
  t.deepEqual(problems, []);
  const graphql = await new Unfinished(app, 'POST', '/api/graphql', { ...claiming(1000), ...NOBODY }).readAnswer();
  t.is(graphql.status, 401);
  for (const door of ['/-/session/password', '/-/user_settings/personal_access_tokens'])
    t.is((await new Unfinished(app, 'POST', door, claiming(1000)).readAnswer()).status, 401, door);
});

test('what scope, gate and offering refuse is refused before any of the body has come', async (t) => {
  const reader = await app.build.token(await app.build.user(), { scopes: ['read_api'] });
  const early = (token: string, method: string, at: string) =>
    new Unfinished(app, method, `/api/v4${at}`, { ...claiming(1000), 'PRIVATE-TOKEN': token }).readAnswer();
  t.is((await early(reader.token, 'POST', '/projects')).status, 403);
  const user = await app.build.user();
  t.is((await early(user.token, 'PUT', '/application/settings')).status, 403);
  t.is((await early(user.token, 'POST', '/no/such/route')).status, 404);
});

// Contract: rest-1.19
test('a body of nobody is 413 beyond 1 MiB at every door, before any of it has come', async (t) => {
  const problems: string[] = [];
  const offered = writes.filter((route) => route.operation.offerings === undefined);
  const streamed = new Set(offered.filter(({ operation }) => operation.upload).map((route) => getPath(route)));
  const doors = [
    ...offered.map((route) => [route.method, getPath(route)] as const),
    ...OTHER_DOORS.filter((door) => !door.startsWith('/-/')).map((door) => ['POST', door] as const),
  ];
  for (const [method, door] of doors) {
    const type = door.startsWith('/oauth') ? FORM : JSON_TYPE;
    const { status } = await new Unfinished(app, method, door, claiming(MIB + 1, type)).readAnswer();
    // Streaming endpoints authenticate the caller before they check the size.
    if (status !== (streamed.has(door) ? 401 : 413)) problems.push(`${method} ${door}: ${status}`);
  }
  t.deepEqual(problems, []);
});

// Contract: rest-1.19
test('a body of nobody that claims nothing is 413 once more than 1 MiB has come', async (t) => {
  for (const type of [JSON_TYPE, FORM, 'multipart/form-data; boundary=X', '']) {
    const headers = { 'Transfer-Encoding': 'chunked', ...(type === '' ? {} : { 'Content-Type': type }) };
    const begin = type.startsWith('multipart') ? '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n' : '"';
    const sent = new Unfinished(app, 'POST', '/api/v4/echo', headers, begin + 'a'.repeat(MIB));
    t.is((await sent.readAnswer()).status, 413, type);
  }
});

// Contract: rest-2.1
test('a token may stand in the body, which is read as that of nobody', async (t) => {
  const user = await app.build.user();
  const post = (body: string, type: string) => app.anonymous.raw('POST', '/api/v4/user/status', body, type);
  const put = (body: string, type: string) => app.anonymous.raw('PUT', '/api/v4/user/status', body, type);
  t.is((await put(JSON.stringify({ private_token: user.token, message: 'a' }), JSON_TYPE)).body.message, 'a');
  t.is((await put(`message=b&private_token=${user.token}`, FORM)).body.message, 'b');
  t.is((await put(JSON.stringify({ private_token: 'pat-nobody', message: 'a' }), JSON_TYPE)).status, 401);
  t.is((await post('{}', JSON_TYPE)).status, 405);
});

// Contract: rest-2.1
test('a token in the body wins over that of a header, and sudo in a body is followed', async (t) => {
  const [one, other, admin] = [await app.build.user(), await app.build.user(), await app.build.admin()];
  const answer = await app.as(one).request('PUT', '/user/status', { private_token: other.token, message: 'a' });
  t.is(answer.status, 200);
  t.is((await app.as(other).get('/user/status')).body.message, 'a');
  t.is((await app.as(one).get('/user/status')).body.message, null);
  t.is((await app.as(admin).request('PUT', '/user/status', { sudo: one.username, message: 'b' })).status, 200);
  t.is((await app.as(one).get('/user/status')).body.message, 'b');
});

// Contract: rest-1.18
test('too many keys, and too deep ones, are refused while the body still comes', async (t) => {
  const user = await app.build.user();
  const part = '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
  const cases: [string, string, string][] = [
    [JSON_TYPE, `{"a":[${'1,'.repeat(20_000)}`, 'the request has more than 10000 parameters'],
    [JSON_TYPE, `{${'"":"",'.repeat(20_000)}`, 'the request has more than 10000 parameters'],
    [JSON_TYPE, '['.repeat(20_000), 'the parameters are nested deeper than 32 levels'],
    [FORM, 'a[]=1&'.repeat(20_000), 'the request has more than 10000 parameters'],
    ['multipart/form-data; boundary=X', part.repeat(20_000), 'the request has more than 10000 parameters'],
  ];
  for (const [type, begin, error] of cases) {
    const headers = { ...claiming(19 * MIB, type), 'PRIVATE-TOKEN': user.token };
    const rejection = await new Unfinished(app, 'POST', '/api/v4/echo', headers, begin).readAnswer();
    t.is(rejection.status, 400, type);
    t.deepEqual(JSON.parse(rejection.text), { error });
  }
  const headers = { ...claiming(19 * MIB), 'PRIVATE-TOKEN': user.token };
  const batch = await new Unfinished(app, 'POST', '/api/graphql', headers, `[${'{},'.repeat(20_000)}`).readAnswer();
  t.is(batch.status, 400);
});

test('variables that come as text are counted together over a batch', async (t) => {
  const entry = (count: number) => ({
    query: '{ echo(text: "x") }',
    variables: JSON.stringify({ a: Array(count).fill(1) }),
  });
  const send = (entries: object[]) => app.anonymous.raw('POST', '/api/graphql', JSON.stringify(entries), JSON_TYPE);
  t.is((await send([entry(4000), entry(4000)])).status, 200);
  t.is((await send([entry(6000), entry(6000)])).status, 400);
});

test('keys are counted also in charsets in which a quote may be part of another character', async (t) => {
  const user = await app.build.user();
  const text = `{"text":"\u0122","texts":[${'"",'.repeat(20_000)}""]}`;
  const utf16 = Buffer.from(text, 'utf16le');
  const { status, body } = await app.as(user).raw('POST', '/api/v4/echo', utf16, 'application/json; charset=utf-16le');
  t.is(status, 400);
  t.deepEqual(body, { error: 'the request has more than 10000 parameters' });
});

const uploads = allRoutes.filter((route) => bindRoute(route).fileNames.length > 0);
const getIncoming = (of: TestApp) => path.join(of.services.config.dataDir, 'incoming');
const incoming = () => (existsSync(getIncoming(app)) ? readdirSync(getIncoming(app)) : []);

/** An image sent as a part, with optional preceding data. */
function picture(field: string, before = ''): { body: Buffer; type: string } {
  const head = `--X\r\nContent-Disposition: form-data; name="${field}"; filename="a.png"\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)]);
  return {
    body: Buffer.concat([Buffer.from(before + head), bytes, Buffer.from('\r\n--X--\r\n')]),
    type: 'multipart/form-data; boundary=X',
  };
}

test('on every route that takes a file, one of nobody is never written to disk', async (t) => {
  t.true(uploads.length > 5);
  for (const route of uploads) {
    const [field = ''] = bindRoute(route).fileNames;
    const { body, type } = picture(field);
    t.is((await small.anonymous.raw(route.method, getPath(route), body, type)).status, 401, nameOf(route));
  }
  t.false(existsSync(getIncoming(small)));
});

test('a file may come with the token in a field before it', async (t) => {
  const user = await app.build.user();
  const token = `--X\r\nContent-Disposition: form-data; name="private_token"\r\n\r\n${user.token}\r\n`;
  const { body, type } = picture('avatar', token);
  const { status, body: answer } = await app.anonymous.raw('PUT', '/api/v4/user/avatar', body, type);
  t.is(status, 200);
  t.regex(answer.avatar_url, /\/uploads\//);
});

test.serial('a file of somebody who goes away, or sends too much, leaves nothing behind', async (t) => {
  const user = await app.build.user();
  const { body, type } = picture('avatar');
  const headers = { 'Content-Type': type, 'Content-Length': String(body.length), 'PRIVATE-TOKEN': user.token };
  const sent = new Unfinished(app, 'PUT', '/api/v4/user/avatar', headers, body.subarray(0, -5));
  await until(() => incoming().length > 0);
  sent.abandon();
  await until(() => incoming().length === 0);
  const many = Array.from({ length: 11 }, () => picture('avatar').body.subarray(0, -9));
  const rejection = await app.as(user).raw('PUT', '/api/v4/user/avatar', Buffer.concat(many), type);
  t.is(rejection.status, 400);
  await until(() => incoming().length === 0);
});

test('the head of a part is at most 8 KiB', async (t) => {
  const part = (filename: string) =>
    `--X\r\nContent-Disposition: form-data; name="text"; ${filename}\r\n\r\na\r\n--X--\r\n`;
  const type = 'multipart/form-data; boundary=X';
  const { status } = await app.anonymous.raw('POST', '/api/v4/echo', part('filename="'.repeat(50_000)), type);
  t.is(status, 400);
});

test('a head as long as a body may be is refused like any other that is too long', async (t) => {
  const user = await app.build.user();
  const head = `--X\r\nContent-Disposition: form-data; name="text"; x="${'a'.repeat(19 * MIB)}"\r\n\r\na\r\n--X--\r\n`;
  const { status } = await app.as(user).raw('POST', '/api/v4/echo', head, 'multipart/form-data; boundary=X');
  t.is(status, 400);
});

test('files are named as clients name them', async (t) => {
  const user = await app.build.user();
  const getFilename = async (disposition: string) => {
    const body = `--X\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n\r\na\r\n--X--\r\n`;
    const type = 'multipart/form-data; boundary="X"';
    return (await app.as(user).raw('POST', '/api/v4/receive', body, type)).body.filename;
  };
  t.is(await getFilename('filename="a;b.txt"'), 'a;b.txt');
  t.is(await getFilename('filename="a\\"b.txt"'), 'a"b.txt');
  t.is(await getFilename('filename="a%22b.txt"'), 'a"b.txt');
  t.is(await getFilename('filename="grün.txt"'), 'grün.txt');
  t.is(await getFilename('filename=plain.txt'), 'plain.txt');
  t.is(await getFilename("filename*=UTF-8''gr%C3%BCn.txt"), 'grün.txt');
  t.is(await getFilename('filename="C:\\folder\\a.txt"'), 'a.txt');
});

// Contract: rest-1.20
test.serial('bodies that are being read are bounded together: 503 beyond, for their callers alone', async (t) => {
  const user = await small.build.user();
  const share = MIB / 16;
  const begin = new Unfinished(small, 'POST', '/api/v4/echo', claiming(share), 'a'.repeat(share - 20_000));
  await until(() => small.traffic.incoming.held > share / 2);
  const rejection = await new Unfinished(
    small,
    'POST',
    '/api/v4/echo',
    claiming(share),
    'a'.repeat(40_000),
  ).readAnswer();
  t.is(rejection.status, 503);
  t.is(rejection.headers['retry-after'], '5');
  t.deepEqual(JSON.parse(rejection.text), { message: '503 Service Unavailable' });
  t.is((await small.as(user).post('/echo', { text: 'a'.repeat(20_000) })).status, 200);
  begin.abandon();
  await until(() => small.traffic.incoming.held === 0);
  t.is((await small.anonymous.post('/echo', { text: 'a'.repeat(20_000) })).status, 200);
});

// Contract: rest-1.21
test('a body that stops coming is 408, and its connection ends', async (t) => {
  const doors = ['/api/v4/echo', ...OTHER_DOORS.filter((door) => !door.startsWith('/-/'))];
  for (const door of doors) {
    const type = door.startsWith('/oauth') ? FORM : JSON_TYPE;
    const sent = new Unfinished(hasty, 'POST', door, claiming(100, type), ' ');
    t.is((await sent.answer).status, 408, door);
    await sent.closed;
  }
});

// Contract: rest-1.21
test('a body that comes byte by byte is 408 too', async (t) => {
  const sent = new Unfinished(hasty, 'POST', '/api/v4/echo', claiming(100_000), '{');
  const drip = setInterval(() => sent.write(' '), 5);
  try {
    const { status, text } = await sent.answer;
    t.is(status, 408);
    t.deepEqual(JSON.parse(text), { error: '408 Request Timeout' });
  } finally {
    clearInterval(drip);
    sent.abandon();
  }
});

test('a connection whose request was refused without its body goes on once that has come', async (t) => {
  const head = (length: number, close = '') =>
    `POST /api/v4/echo HTTP/1.1\r\nHost: x\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${length}\r\n${close}`;
  const rejectedRequest = `${head(100)}PRIVATE-TOKEN: pat-nobody\r\n\r\n${' '.repeat(100)}`;
  const text = await rawSocket(app.url, `${rejectedRequest}${head(2, 'Connection: close\r\n')}\r\n{}`);
  t.regex(text, /^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 /);
});

test('a rejected body whose client goes away slows no other one down', async (t) => {
  const { traffic } = left;
  const headers = { ...claiming(100_000), ...NOBODY, Connection: 'keep-alive' };
  const rejected = Array.from({ length: 5 }, () => new Unfinished(left, 'POST', '/api/v4/echo', headers, ' '));
  for (const sent of rejected) t.is((await sent.answer).status, 401);
  await until(() => traffic.unread === 5);
  for (const sent of rejected) sent.abandon();
  await until(() => traffic.unread === 0);
});

test('a connection whose refused body never comes ends', async (t) => {
  const sent = new Unfinished(hasty, 'POST', '/api/v4/echo', { ...claiming(100), ...NOBODY }, ' ');
  t.is((await sent.answer).status, 401);
  await t.notThrowsAsync(sent.closed);
});

test('a connection whose refused body never ends is closed', async (t) => {
  const sent = new Unfinished(app, 'POST', '/api/v4/echo', { ...claiming(1024 * MIB), ...NOBODY });
  t.is((await sent.answer).status, 401);
  const piece = Buffer.alloc(MIB);
  let over = false;
  void sent.closed.then(() => (over = true));
  for (let pieces = 0; pieces < 200 && !over; pieces += 1) {
    sent.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await sent.closed;
  t.pass();
});

test('a client that waits to be asked for its body is asked only if that is wanted', async (t) => {
  const head = (more: string) =>
    `POST /api/v4/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: 2\r\n` +
    `Expect: 100-continue\r\n${more}\r\n`;
  t.regex(await rawSocket(app.url, head('PRIVATE-TOKEN: pat-nobody\r\n')), /^HTTP\/1\.1 401 /);
  t.regex(await rawSocket(app.url, `${head('')}{}`), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

import test from 'ava';
import { useApp } from '../app.js';
import { echoRoutes } from './echo.js';
import { rawRequest, rawSocket } from '../raw-http.js';

const app = useApp(test, echoRoutes);
const NO_ROUTE = { error: '404 Not Found' };

/** The parameter that arrives for a path sent as it is. */
const segment = async (text: string) => (await rawRequest(app.url, { path: `/api/v4/echo/${text}` })).body.id;

// Contract: rest-1.1, rest-3.3
test('the API lives below /api/v4, and what is unknown there is 404 with the key error', async (t) => {
  for (const path of ['/api/v4', '/api/v4/', '/api/v4/nothing', '/api/v4/projects/1/nothing', '/api/v4/Version']) {
    const { status, body } = await app.anonymous.raw('GET', path);
    t.is(status, 404, path);
    t.deepEqual(body, NO_ROUTE, path);
  }
});

// Contract: rest-1.1
test('an unknown route is 404 also with a wrong credential', async (t) => {
  t.deepEqual((await app.withHeaders({ 'PRIVATE-TOKEN': 'nonsense' }).get('/nothing')).body, NO_ROUTE);
});

// Contract: rest-1.1
test('requests outside the API get a JSON 404', async (t) => {
  for (const path of ['/no/such', '/api', '/api/v3/version', '/api/v40/version', '/favicon.ico', '//api/v4/version']) {
    const answer = await rawRequest(app.url, { path });
    t.is(answer.status, 404, path);
    t.is(answer.headers['content-type'], 'application/json', path);
    t.deepEqual(answer.body, NO_ROUTE, path);
  }
});

// Contract: rest-1.12
test('a project is found by id, by its encoded path in any case, and by nothing else', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const byPath = (path: string) => client.get(`/projects/${path}`);
  t.is((await byPath(String(project.id))).body.id, project.id);
  t.is((await byPath(encodeURIComponent(project.full_path))).body.id, project.id);
  t.is((await byPath(encodeURIComponent(project.full_path.toUpperCase()))).body.id, project.id);
  t.is((await byPath(project.full_path.replace('/', '%2f'))).body.id, project.id);
  for (const path of [project.path, 'no%2Fsuch', `${project.full_path.replace('/', '%252F')}`]) {
    const { status, body } = await byPath(path);
    t.is(status, 404, path);
    t.deepEqual(body, { message: '404 Project Not Found' }, path);
  }
});

// Contract: rest-1.13
test('a group is found by id and by its full path in any case, with or without a slash', async (t) => {
  const group = await app.build.group();
  const sub = await app.build.group({ parent: group, owner: group.owner });
  const client = app.as(group.owner);
  for (const found of [group, sub]) {
    t.is((await client.get(`/groups/${found.id}`)).body.id, found.id);
    t.is((await client.get(`/groups/${encodeURIComponent(found.full_path)}`)).body.id, found.id);
    t.is((await client.get(`/groups/${encodeURIComponent(found.full_path.toUpperCase())}`)).body.id, found.id);
  }
  t.deepEqual((await client.get('/groups/no%2Fsuch')).body, { message: '404 Group Not Found' });
  t.deepEqual((await client.get(`/groups/${sub.full_path}`)).body, NO_ROUTE);
});

// Contract: rest-1.14
test('a slash that is not encoded matches no endpoint', async (t) => {
  const project = await app.build.project();
  const { status, body } = await app.as(project.owner).get(`/projects/${project.full_path}`);
  t.is(status, 404);
  t.deepEqual(body, NO_ROUTE);
});

// Contract: rest-1.14
test('dots are part of the value and no format is cut off', async (t) => {
  t.is(await segment('my.project'), 'my.project');
  t.is(await segment('v1.0'), 'v1.0');
  t.is(await segment('v1%2E0'), 'v1.0');
  t.is(await segment('a.json'), 'a.json');
  t.is(await segment('%2E%2E'), '..');
  t.is((await rawRequest(app.url, { path: '/api/v4/version.json' })).status, 404);
});

// Contract: rest-1.16
test('segments are matched raw and decoded once', async (t) => {
  t.is(await segment('a%2Fb'), 'a/b');
  t.is(await segment('a%252Fb'), 'a%2Fb');
  t.is(await segment('v%2A'), 'v*');
  t.is(await segment('v*'), 'v*');
  t.is(await segment('a%20b'), 'a b');
  t.is(await segment('a%2Bb'), 'a+b');
  t.is(await segment('a+b'), 'a+b');
  t.is(await segment('%C3%BC'), 'ü');
  t.is(await segment('a;b=c,d'), 'a;b=c,d');
  t.is(await segment('%3Fa%23b'), '?a#b');
});

// Contract: rest-1.16
test('a percent sign that encodes nothing, and NUL, make the parameter invalid', async (t) => {
  for (const text of ['%', '%zz', 'a%2', '%FF', '%C3', '%00']) {
    const { status, body } = await rawRequest(app.url, { path: `/api/v4/projects/${text}` });
    t.is(status, 400, text);
    t.deepEqual(body, { error: 'id is invalid' }, text);
  }
});

// Contract: rest-1.16
test('a trailing slash is no other path, while an empty segment is', async (t) => {
  t.is((await rawRequest(app.url, { path: '/api/v4/echo/a/' })).body.id, 'a');
  for (const path of [
    '/api/v4/echo//',
    '/api/v4/echo//a',
    '/api/v4/version%20',
    '/api/v4/version;a',
    '/api/v4/version/x',
  ])
    t.is((await rawRequest(app.url, { path })).status, 404, path);
});

// Contract: rest-1.16.1
test('slashes that are doubled right after /api/v4 count as one, and links have one', async (t) => {
  for (const path of ['/api/v4//echo/a%2Fb?text=x//y', '/api/v4////echo/a%2Fb?text=x//y'])
    t.like((await rawRequest(app.url, { path })).body, { id: 'a/b', text: 'x//y' }, path);
  const { headers } = await rawRequest(app.url, { path: '/api/v4//projects?per_page=1' });
  t.regex(headers.link as string, /\/api\/v4\/projects\?/);
  for (const path of ['/api/v4//', '/api/v4//nothing', '/api//v4/echo/a', '/api/v4%2F/echo/a']) {
    const answer = await rawRequest(app.url, { path });
    t.is(answer.status, 404, path);
    t.deepEqual(answer.body, NO_ROUTE, path);
  }
});

// Contract: rest-1.15
test('a URL of up to 16 KiB is read and a longer one is 414', async (t) => {
  const path = (bytes: number) => `/api/v4/echo?x=${'a'.repeat(bytes - '/api/v4/echo?x='.length)}`;
  t.is((await rawRequest(app.url, { path: path(16 * 1024) })).status, 200);
  for (const bytes of [16 * 1024 + 1, 60_000, 120_000]) {
    const { status, body } = await rawRequest(app.url, { path: path(bytes) });
    t.is(status, 414);
    t.deepEqual(body, { error: '414 Request-URI Too Large' });
  }
});

// Contract: rest-1.15
test('every path has a longest URL, whatever serves it', async (t) => {
  const paths = [
    '/',
    '/-/readiness',
    '/-/nothing',
    '/group/project',
    '/group/project/-/issues',
    '/group/project.git/info/refs',
    '/users/sign_in',
    '/oauth/token',
    '/v2/',
    '/uploads/-/system/user/avatar/1/a.png',
    '/api/v4/echo',
    '/no/such/path',
  ];
  for (const path of paths) {
    const query = '?service=git-upload-pack&x=';
    const { status, body } = await rawRequest(app.url, { path: path + query.padEnd(16 * 1024 + 1 - path.length, 'a') });
    t.is(status, 414, path);
    t.deepEqual(body, { error: '414 Request-URI Too Large' }, path);
  }
  const long = (path: string, bytes: number) => rawRequest(app.url, { path: `${path}?x=`.padEnd(bytes, 'a') });
  for (const path of ['/api/graphql', '/-/graphql-explorer']) {
    t.not((await long(path, 64 * 1024)).status, 414, path);
    t.is((await long(path, 64 * 1024 + 1)).status, 414, path);
  }
});

// Contract: rest-1.15
test('a URL longer than any header may be is 414, and headers beyond that are 431', async (t) => {
  const long = 'a'.repeat(400_000);
  t.regex(
    await rawSocket(app.url, `GET /api/v4/echo?x=${long}`),
    /^HTTP\/1\.1 414 [\s\S]*\{"error":"414 Request-URI Too Large"\}$/,
  );
  const headers = Array.from({ length: 4000 }, (_value, index) => `X-${index}: ${'a'.repeat(50)}\r\n`).join('');
  t.regex(await rawSocket(app.url, `GET /api/v4/echo HTTP/1.1\r\n${headers}`), /^HTTP\/1\.1 431 /);
});

// Contract: rest-5.11
test('a method that the path does not have is 405 with the methods that it has [unverified body]', async (t) => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'TRACE']) {
    const answer = await rawRequest(app.url, { method, path: '/api/v4/projects' });
    t.is(answer.status, 405, method);
    t.deepEqual(answer.body, { error: '405 Not Allowed' }, method);
    t.deepEqual(answer.headers.allow?.split(', ').sort(), ['GET', 'HEAD', 'OPTIONS', 'POST'], method);
  }
  t.is((await app.anonymous.head('/strict')).status, 405);
});

// Contract: rest-5.11
test('OPTIONS tells the methods of a path, and 404 where there is none', async (t) => {
  const { status, headers, text } = await app.anonymous.request('OPTIONS', '/projects');
  t.is(status, 204);
  t.is(text, '');
  t.regex(headers.get('allow') ?? '', /GET/);
  t.is((await app.anonymous.request('OPTIONS', '/nothing')).status, 404);
});

// Contract: rest-5.11
test('methods in lower case and CONNECT are refused, HTTP/1.0 is answered', async (t) => {
  t.regex(
    await rawSocket(app.url, 'get /api/v4/echo HTTP/1.1\r\nHost: x\r\n\r\n'),
    /^HTTP\/1\.1 400 [\s\S]*\{"error":"400 Bad Request"\}/,
  );
  t.regex(await rawSocket(app.url, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'), /^HTTP\/1\.1 405 /);
  t.regex(
    await rawSocket(app.url, 'GET /api/v4/echo?text=old HTTP/1.0\r\n\r\n'),
    /^HTTP\/1\.1 200 [\s\S]*"text":"old"/,
  );
  t.regex(
    await rawSocket(
      app.url,
      'GET http://elsewhere/api/v4/echo?text=abs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ),
    /^HTTP\/1\.1 200 [\s\S]*"text":"abs"/,
  );
});

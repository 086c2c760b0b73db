import { readFileSync } from 'node:fs';
import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { openApiDocument } from '../../../api/core/openapi/document.js';
import { useApp } from '../app.js';
import { echoRoutes } from './echo.js';
import { rawRequest } from '../raw-http.js';

const app = useApp(test, echoRoutes);

// Contract: rest-9.1
test('JSON is application/json exactly, without a charset, in UTF-8', async (t) => {
  const answer = await rawRequest(app.url, { path: '/api/v4/echo?text=%C3%BC' });
  t.is(answer.headers['content-type'], 'application/json');
  t.true(answer.text.includes('"ü"'));
  t.is((await app.anonymous.get('/nothing')).headers.get('content-type'), 'application/json');
});

// Contract: rest-9.2
test('raw content is text/plain', async (t) => {
  const { status, text, headers } = await app.anonymous.get('/raw');
  t.is(status, 200);
  t.is(text, '<b>not HTML</b>');
  t.is(headers.get('content-type'), 'text/plain');
  t.is(headers.get('x-content-type-options'), 'nosniff');
});

// Contract: rest-9.3
test('a GET has a weak ETag that is the same for the same answer', async (t) => {
  const [one, same, other] = [
    await app.anonymous.get('/echo?text=a'),
    await app.anonymous.get('/echo?text=a'),
    await app.anonymous.get('/echo?text=b'),
  ];
  t.regex(one.headers.get('etag') ?? '', /^W\/"[^"]+"$/);
  t.is(one.headers.get('etag'), same.headers.get('etag'));
  t.not(one.headers.get('etag'), other.headers.get('etag'));
  t.is((await app.anonymous.post('/echo', {})).headers.get('etag'), null);
  t.is((await app.anonymous.get('/nothing')).headers.get('etag'), null);
});

// Contract: rest-9.3
test('If-None-Match with the current ETag is 304 without body and type', async (t) => {
  const { headers } = await app.anonymous.get('/echo?text=a');
  const etag = headers.get('etag') as string;
  for (const value of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
    const answer = await rawRequest(app.url, { path: '/api/v4/echo?text=a', headers: { 'If-None-Match': value } });
    t.is(answer.status, 304, value);
    t.is(answer.text, '');
    t.is(answer.headers['content-type'], undefined);
    t.is(answer.headers.etag, etag);
    t.is(answer.headers['cache-control'], 'max-age=0, private, must-revalidate');
  }
  t.is((await app.anonymous.with({ 'If-None-Match': 'W/"other"' }).get('/echo?text=a')).status, 200);
});

// Contract: rest-9.4
test('a GET is private to its caller and checked again each time, and anything else is not cached', async (t) => {
  const control = 'cache-control';
  t.is((await app.anonymous.get('/echo')).headers.get(control), 'max-age=0, private, must-revalidate');
  t.is((await app.anonymous.get('/nothing')).headers.get(control), 'no-cache');
  t.is((await app.anonymous.post('/echo', {})).headers.get(control), 'no-cache');
});

// Contract: rest-9.5
test('every answer keeps browsers from guessing and framing', async (t) => {
  for (const path of ['/api/v4/echo', '/api/v4/nothing', '/elsewhere']) {
    const { headers } = await app.anonymous.raw('GET', path);
    t.is(headers.get('x-content-type-options'), 'nosniff');
    t.is(headers.get('x-frame-options'), 'SAMEORIGIN');
    t.is(headers.get('vary'), 'Origin, Accept-Encoding');
  }
});

// Contract: operations-4.1, rest-9.6
test('a request id of word characters and dashes is kept, any other is replaced', async (t) => {
  const idFor = async (header: string) =>
    (await app.withHeaders({ 'X-Request-Id': header }).get('/echo')).headers.get('x-request-id');
  t.is(await idFor('my-request_1'), 'my-request_1');
  t.is(await idFor('a'.repeat(128)), 'a'.repeat(128));
  for (const header of ['a b', 'a.b', 'a'.repeat(129), 'ü'])
    t.regex((await idFor(header)) ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, header);
  const [one, other] = [await app.anonymous.get('/echo'), await app.anonymous.get('/echo')];
  t.not(one.headers.get('x-request-id'), other.headers.get('x-request-id'));
});

// Contract: rest-9.7
test('X-Runtime tells seconds', async (t) => {
  for (const path of ['/api/v4/echo', '/api/v4/nothing', '/elsewhere'])
    t.regex((await app.anonymous.raw('GET', path)).headers.get('x-runtime') ?? '', /^\d\.\d{6}$/);
});

// Contract: rest-4.3, rest-9.8
test('204 has no body and no content type', async (t) => {
  const answer = await rawRequest(app.url, { method: 'OPTIONS', path: '/api/v4/echo' });
  t.is(answer.status, 204);
  t.is(answer.text, '');
  t.is(answer.headers['content-type'], undefined);
  t.is(answer.headers['content-length'], undefined);
});

// Contract: rest-9.9
test('HEAD has the headers of GET and no body', async (t) => {
  const project = await app.build.project();
  for (const path of ['/version', `/projects/${project.id}`, '/projects', '/projects/999999999', '/raw']) {
    const headers = { 'PRIVATE-TOKEN': project.owner.token };
    const [get, head] = [
      await rawRequest(app.url, { path: `/api/v4${path}`, headers }),
      await rawRequest(app.url, { method: 'HEAD', path: `/api/v4${path}`, headers }),
    ];
    t.is(head.status, get.status, path);
    t.is(head.text, '', path);
    const stable = (all: Record<string, unknown>) => {
      const changing = ['x-request-id', 'x-service-meta', 'x-gitlab-meta', 'x-runtime', 'date'];
      return Object.fromEntries(Object.entries(all).filter(([name]) => !changing.includes(name)));
    };
    t.deepEqual(stable(head.headers), stable(get.headers), path);
  }
});

// Contract: rest-9.10
test('any origin may read answers, without credentials, and sees the paging headers', async (t) => {
  for (const path of ['/echo', '/nothing', '/user']) {
    const { headers } = await app.withHeaders({ Origin: 'https://elsewhere.example' }).get(path);
    t.is(headers.get('access-control-allow-origin'), '*', path);
    t.is(headers.get('access-control-allow-credentials'), null, path);
    t.is(
      headers.get('access-control-expose-headers'),
      'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page',
    );
  }
  t.is((await app.anonymous.get('/echo')).headers.get('access-control-allow-origin'), null);
});

// Contract: rest-9.10
test('a preflight request is allowed every method and the headers that it names', async (t) => {
  const preflight = {
    Origin: 'https://elsewhere.example',
    'Access-Control-Request-Method': 'DELETE',
    'Access-Control-Request-Headers': 'private-token, content-type',
  };
  const { status, headers, text } = await rawRequest(app.url, {
    method: 'OPTIONS',
    path: '/api/v4/projects/1',
    headers: preflight,
  });
  t.is(status, 204);
  t.is(text, '');
  t.is(headers['access-control-allow-origin'], '*');
  t.is(headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  t.is(headers['access-control-allow-headers'], 'private-token, content-type');
});

// Contract: rest-9.11
test('timestamps are UTC with milliseconds', async (t) => {
  const project = await app.build.project();
  const { body } = await app.as(project.owner).get(`/projects/${project.id}`);
  t.is(body.created_at, '2030-01-01T00:00:00.000Z');
});

// Contract: rest-9.12
test('absent values are null and their keys stay', async (t) => {
  const schedule = await app.build.schedule();
  const { body } = await app
    .as(schedule.ownedBy)
    .get(`/projects/${schedule.project_id}/pipeline_schedules/${schedule.id}`);
  t.is(body.last_pipeline, null);
});

const SUMMARY = ['avatar_url', 'id', 'locked', 'name', 'public_email', 'state', 'username', 'web_url'];

// Contract: rest-9.13
test('a user inside another record has the keys of a user summary', async (t) => {
  const schedule = await app.build.schedule();
  const { owner } = (
    await app.as(schedule.ownedBy).get(`/projects/${schedule.project_id}/pipeline_schedules/${schedule.id}`)
  ).body;
  const { id, username, name } = schedule.ownedBy;
  t.deepEqual(Object.keys(owner as object).sort(), SUMMARY);
  t.like(owner, { id, username, name, state: 'active', locked: false, public_email: '' });
  t.is(owner.web_url, `http://capstan.test/${username}`);
  t.true(owner.avatar_url === null || typeof owner.avatar_url === 'string');
});

// Contract: rest-9.13
test('whatever tells of a user has all keys of a user summary, in every answer', (t) => {
  const { components } = openApiDocument(allRoutes) as {
    components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
  };
  // Bodies of requests are schemas too, and deploy tokens have user names.
  const users = Object.entries(components.schemas).filter(
    ([name, { properties = {} }]) => 'username' in properties && !/Body$|DeployToken$/.test(name),
  );
  t.true(users.length > 3);
  for (const [name, { properties = {} }] of users)
    t.deepEqual(
      SUMMARY.filter((key) => !(key in properties)),
      [],
      name,
    );
});

// Contract: operations-5.4, rest-10.1
test('/version and /metadata answer the version, and 401 without a credential', async (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const user = app.as(await app.build.user());
  for (const path of ['/version', '/metadata']) {
    t.deepEqual((await user.get(path)).body, {
      version: '18.6.0',
      revision: 'abcdef12345',
      kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
      enterprise: true,
      service: { name: 'Capstan', version },
    });
    t.is((await app.anonymous.get(path)).status, 401);
  }
});

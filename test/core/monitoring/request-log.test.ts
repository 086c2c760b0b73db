import type { AddressInfo } from 'node:net';
import test from 'ava';
import { pino } from 'pino';
import { buildApp } from '../../../api/app.js';
import { createApiServer } from '../../../api/core/server/server.js';
import { Traffic } from '../../../api/core/traffic.js';
import { apiServices } from '../../../api/services.js';
import { getTokenSources } from '../../../shared/core/domain.js';
import { domains } from '../../../shared/domains.js';
import { useApp } from '../app.js';
import { Client } from '../client.js';

const app = useApp(test);

interface Line {
  msg: string;
  correlation_id?: string;
  [key: string]: unknown;
}

/** The same service, with a log that the test reads. */
async function logging(t: { teardown(end: () => void): void }): Promise<{ url: string; lines: Line[] }> {
  const lines: Line[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line) as Line) });
  const own = apiServices({ ...app.services, log }, new Traffic(), getTokenSources(domains));
  const server = createApiServer(buildApp(own), own.traffic);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lines };
}

// Contract: operations-4.1
test('every answer names its correlation id in X-Service-Meta and X-Gitlab-Meta', async (t) => {
  for (const path of ['/api/v4/version', '/api/v4/nothing', '/-/health', '/elsewhere', '/api/graphql']) {
    const { headers } = await app.withHeaders({ 'X-Request-Id': 'my-request_1' }).raw('GET', path);
    t.deepEqual(JSON.parse(headers.get('x-service-meta') ?? ''), { correlation_id: 'my-request_1', version: '1' });
    t.is(headers.get('x-gitlab-meta'), headers.get('x-service-meta'));
    t.is(headers.get('x-request-id'), 'my-request_1');
    t.regex(headers.get('x-runtime') ?? '', /^\d+\.\d{6}$/);
  }
  const { headers } = await app.anonymous.get('/version');
  t.is(JSON.parse(headers.get('x-service-meta') ?? '').correlation_id, headers.get('x-request-id'));
});

// Contract: operations-4.2
test('a request is one line of JSON with correlation id, route, status and duration, and no secret of its query', async (t) => {
  const { url, lines } = await logging(t);
  const user = await app.build.user();
  const project = await app.build.project({ owner: user });
  const anonymous = new Client(url, { 'X-Request-Id': 'request-7' });
  const secret = 'canary-of-a-token';
  const requests: [path: string, route: string, status: number][] = [
    [`/api/v4/projects/${project.id}?private_token=${user.token}`, '/api/v4/projects/:id', 200],
    [`/api/v4/projects/${project.id}?access_token=${secret}`, '/api/v4/projects/:id', 401],
    [`/api/v4/nothing?private_token=${secret}`, 'none', 404],
    [`/api/graphql?query={currentUser{id}}&private_token=${secret}`, '/api/graphql', 401],
    [`/users/sign_in?user[password]=${secret}`, 'none', 404],
  ];
  for (const [path, route, status] of requests) {
    lines.length = 0;
    const answer = await anonymous.raw('GET', path);
    const written = lines.filter(({ msg }) => msg === 'request');
    t.is(written.length, 1, path);
    t.like(written[0], { method: 'GET', status: answer.status, correlation_id: 'request-7', ip: '127.0.0.1' });
    t.is(typeof written[0]?.seconds, 'number');
    t.is(written[0]?.path, path.split('?')[0]);
    if (answer.status === status) t.is(written[0]?.route, route, path);
    const text = JSON.stringify(lines);
    t.false(text.includes(secret) || text.includes(user.token), text);
  }
});

import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import test from 'ava';
import { sql } from 'kysely';
import { formatError } from '../../../shared/instance/monitoring/health-check.js';
import { TestApp, useApp } from '../app.js';
import { eventually, startService } from '../processes.js';

const app = useApp(test);
const behind = useApp(test, [], { trustedProxies: '127.0.0.1' });
const elsewhere = useApp(test);

const MASTER = { master_check: [{ status: 'ok' }] };
const PROBES = ['/-/liveness', '/-/readiness', '/-/readiness?all=1', '/-/metrics', '/health_check'];

const get = (path: string, of: TestApp = app) => of.anonymous.raw('GET', path);

/** An app of the test's own, to be broken. */
async function ownApp(t: { teardown(end: () => Promise<void>): void }): Promise<TestApp> {
  const own = new TestApp();
  await own.start();
  t.teardown(() => own.stop());
  return own;
}

/** Readiness of everything, once the database answered each check within its second: others use the machine as well. */
const answered = (of: TestApp) =>
  eventually(async () => {
    const answer = await get('/-/readiness?all=1', of);
    return !answer.text.includes('did not answer') && answer;
  });

/** Readiness, once the database answered within its second. */
const isReady = (of: TestApp) =>
  eventually(async () => {
    const answer = await get('/-/readiness', of);
    return answer.status === 200 && answer;
  });

/** As a worker's maintenance marks the queues. */
const markQueues = (of: TestApp, secondsAgo: number) =>
  of.services.db.query(
    sql`update pgboss.queue set monitor_on = null,
          monitor_claim_on = pgboss.job_now() - make_interval(secs => ${secondsAgo})`,
  );

// Contract: operations-1.1
test('/-/health says that the process answers', async (t) => {
  const { status, text, headers } = await get('/-/health');
  t.is(status, 200);
  t.is(text, 'Capstan OK');
  t.is(headers.get('content-type'), 'text/plain');
  t.is(headers.get('cache-control'), 'no-store');
});

// Contract: operations-1.2
test('liveness and readiness answer their public bodies', async (t) => {
  const alive = await get('/-/liveness');
  t.is(alive.status, 200);
  t.is(alive.text, '{"status":"ok"}');
  const ready = await isReady(app);
  t.is(ready.text, '{"status":"ok","master_check":[{"status":"ok"}]}');
  for (const { headers } of [alive, ready]) {
    t.is(headers.get('content-type'), 'application/json');
    t.is(headers.get('cache-control'), 'no-store');
    t.is(headers.get('set-cookie'), null);
    t.is(headers.get('etag'), null);
  }
});

// Contract: operations-1.6
test('probes answer HEAD like GET, without a body, and no other method', async (t) => {
  await isReady(elsewhere);
  for (const path of ['/-/health', ...PROBES]) {
    const [got, head] = [await get(path, elsewhere), await elsewhere.anonymous.raw('HEAD', path)];
    t.is(head.status, got.status, path);
    t.is(head.text, '');
    t.is(head.headers.get('content-type'), got.headers.get('content-type'));
    const posted = await elsewhere.anonymous.raw('POST', path);
    t.is(posted.status, 404, path);
    t.deepEqual(posted.body, { error: '404 Not Found' });
  }
});

// Contract: operations-1.1
test('health, liveness and readiness take no connection of the pool and make no session', async (t) => {
  const own = await ownApp(t);
  await isReady(own);
  t.is(
    await own.statementsOf(async () => {
      for (const path of ['/-/health', '/-/liveness'])
        t.is((await own.withHeaders({ Cookie: '_capstan_session=x' }).raw('GET', path)).status, 200);
      await isReady(own);
    }),
    0,
  );
  t.deepEqual(await own.services.db.query(sql`select 1 from user_sessions`), []);
});

// Contract: operations-1.3
test('readiness of everything has an entry for each dependency', async (t) => {
  const own = await ownApp(t);
  await markQueues(own, 100);
  const { status, body } = await answered(own);
  t.is(status, 200);
  const stores = ['repositories', 'objects', 'incoming'].map((store) => ({ status: 'ok', labels: { store } }));
  const ok = [{ status: 'ok' }];
  t.deepEqual(body, {
    status: 'ok',
    ...MASTER,
    db_check: ok,
    queues_check: ok,
    migrations_check: ok,
    storage_check: stores,
  });
  t.is((await get('/health_check', own)).text, 'success');
});

// Contract: operations-1.3, operations-1.4
test('a queue that nobody looks after, and a pending migration, fail the whole but not the instance', async (t) => {
  const own = await ownApp(t);
  await markQueues(own, 130);
  await own.services.db.query(
    sql`delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations)`,
  );
  const { status, body } = await answered(own);
  t.is(status, 503);
  t.is(body.status, 'failed');
  t.deepEqual(body.db_check, [{ status: 'ok' }]);
  t.deepEqual(body.queues_check, [
    { status: 'failed', message: 'No worker has looked after the queue for 120 seconds.' },
  ]);
  t.deepEqual(body.migrations_check, [{ status: 'failed', message: '1 migrations are pending.' }]);
  await isReady(own);
  t.is((await get('/health_check/database', own)).text, 'success');
  const pending = await get('/health_check/migrations', own);
  t.is(pending.status, 500);
  t.is(pending.text, 'health_check failed: 1 migrations are pending.');
  t.is(pending.headers.get('content-type'), 'text/plain');
});

// Contract: operations-1.3
test('a store that takes no file is named; one that does is enough for readiness, not for the health check', async (t) => {
  const own = await ownApp(t);
  await markQueues(own, 0);
  await writeFile(path.join(own.services.config.dataDir, 'incoming'), 'a file where a folder should be');
  const { status, body } = await answered(own);
  t.is(status, 200, 'one entry is ok');
  t.deepEqual(body.storage_check[2], {
    status: 'failed',
    message: 'A file could not be written and removed (EEXIST).',
    labels: { store: 'incoming' },
  });
  const whole = await get('/health_check', own);
  t.is(whole.status, 500);
  t.is(whole.text, 'health_check failed: incoming: A file could not be written and removed (EEXIST).');
});

// Contract: operations-1.4
test('there is no cache to fail, and no other part', async (t) => {
  t.is((await get('/health_check/cache')).text, 'success');
  t.is((await get('/health_check/other')).status, 404);
});

// Contract: operations-5.1
test('with the database down the process is alive, but not ready', async (t) => {
  const own = await ownApp(t);
  const { pathname } = new URL(own.services.config.databaseUrl);
  await elsewhere.services.db.pool.query(`drop database ${pathname.slice(1)} with (force)`);
  t.is((await get('/-/health', own)).status, 200);
  t.is((await get('/-/liveness', own)).status, 200);
  const ready = await eventually(async () => {
    const answer = await get('/-/readiness', own);
    return answer.status === 503 && answer;
  });
  t.deepEqual(ready.body, {
    status: 'failed',
    master_check: [{ status: 'ok' }],
    db_check: [{ status: 'failed', message: 'The database did not answer.' }],
  });
  const { status, body, text } = await get('/-/readiness?all=1', own);
  t.is(status, 503);
  t.is(body.status, 'failed');
  t.deepEqual(body.master_check, [{ status: 'ok' }]);
  t.deepEqual(body.db_check, [{ status: 'failed', message: 'The database did not answer.' }]);
  t.is(body.queues_check[0].status, 'failed');
  t.is(body.migrations_check[0].status, 'failed');
  t.notRegex(text, /postgres|:\/\/|capstan_/i);
  const failed = await get('/health_check/database', own);
  t.is(failed.status, 500);
  t.is(failed.text, 'health_check failed: The database did not answer.');
  const { status: metricsStatus, text: metrics } = await get('/-/metrics', own);
  t.is(metricsStatus, 200);
  t.regex(metrics, /^app_info\{/m);
});

// Contract: operations-1.5
test('a check that throws is 500 with class and text, without where it asked', async (t) => {
  const own = await ownApp(t);
  own.services.db.queryAll = () => {
    throw new TypeError('no way to postgres://root:hunter2@db.internal:5432/capstan');
  };
  const { status, body } = await get('/-/readiness?all=1', own);
  t.is(status, 500);
  t.deepEqual(body, { status: 'failed', message: 'TypeError : no way to [FILTERED]' });
  t.is((await get('/health_check', own)).text, 'health_check failed: TypeError : no way to [FILTERED]');
  t.is(formatError('text'), 'Error : unknown');
});

const FORGED: [string, Record<string, string>][] = [
  ['one address', { 'X-Forwarded-For': '10.0.0.1' }],
  ['the loopback', { 'X-Forwarded-For': '127.0.0.1' }],
  ['a list', { 'X-Forwarded-For': '203.0.113.9, 10.0.0.1' }],
  ['a list that begins with it', { 'X-Forwarded-For': '10.0.0.1, 203.0.113.9' }],
  ['a port', { 'X-Forwarded-For': '10.0.0.1:80' }],
  ['IPv4 within IPv6', { 'X-Forwarded-For': '::ffff:10.0.0.1' }],
  ['brackets', { 'X-Forwarded-For': '[::ffff:10.0.0.1]:80' }],
  ['quotes', { 'X-Forwarded-For': '"10.0.0.1"' }],
  ['Forwarded', { Forwarded: 'for=10.0.0.1;by=10.0.0.1' }],
  ['X-Real-IP and others', { 'X-Real-IP': '10.0.0.1', 'Client-IP': '10.0.0.1', 'X-Client-IP': '10.0.0.1' }],
  ['True-Client-IP and others', { 'True-Client-IP': '10.0.0.1', 'CF-Connecting-IP': '10.0.0.1' }],
  ['commas and spaces', { 'X-Forwarded-For': ' , ,10.0.0.1, ' }],
];

// Contract: operations-5.3
test('who is not on the list is answered as at a path that nobody serves, whatever headers say', async (t) => {
  const own = await ownApp(t);
  await own.set({ monitoring_allowlist: ['10.0.0.0/8'] });
  const nothing = await get('/-/nothing', own);
  t.is(nothing.status, 404);
  t.deepEqual(nothing.body, { error: '404 Not Found' });
  for (const path of [...PROBES, '/health_check/database', '/health_check/migrations', '/health_check/cache'])
    for (const [how, headers] of [['nothing'], ...FORGED] as [string, Record<string, string>?][]) {
      const { status, text } = await own.withHeaders(headers ?? {}).raw('GET', path);
      t.is(status, 404, `${path} with ${how}`);
      t.is(text, nothing.text);
    }
  t.is((await get('/-/health', own)).status, 200, 'containers ask from anywhere');
});

// Contract: operations-5.3
test('behind a trusted proxy the client counts, and what it wrote itself does not', async (t) => {
  await behind.set({ monitoring_allowlist: ['10.0.0.0/8'] });
  const from = (forwarded: string) => behind.withHeaders({ 'X-Forwarded-For': forwarded }).raw('GET', '/-/liveness');
  t.is((await from('10.1.2.3')).status, 200);
  t.is((await from('203.0.113.9, 10.1.2.3')).status, 200);
  for (const forged of [
    '10.1.2.3, 203.0.113.9',
    '203.0.113.9',
    '10.1.2.3, unknown, 203.0.113.9',
    '10.1.2.3, 127.0.0.1, 203.0.113.9',
  ])
    t.is((await from(forged)).status, 404, forged);
  t.is((await from('"10.1.2.3"')).status, 404, 'what is no address leaves the proxy, which is not on the list');
});

// Contract: operations-1.7
test('another process follows a change of the list, which takes addresses and networks alone', async (t) => {
  const own = await ownApp(t);
  const beside = new TestApp([], { beside: own });
  await beside.start();
  t.teardown(() => beside.stop());
  const admin = await own.build.admin();
  await isReady(beside);
  const { status } = await own.as(admin).put('/application/settings', { monitoring_allowlist: ['192.0.2.0/24'] });
  t.is(status, 200);
  t.is((await get('/-/readiness', own)).status, 404, 'this process at once');
  await eventually(async () => (await get('/-/readiness', beside)).status === 404);
  for (const bad of [['10.0.0.0/33'], ['here'], ['::ffff:10.0.0.0/104'], ['fe80::1%eth0']])
    t.is((await own.as(admin).put('/application/settings', { monitoring_allowlist: bad })).status, 400, bad[0]);
});

// Contract: operations-5.6
test('probes are not counted by the rate limiter', async (t) => {
  const own = await ownApp(t);
  await own.set({
    throttle_unauthenticated_api_enabled: true,
    throttle_unauthenticated_api_requests_per_period: 1,
  });
  for (let n = 0; n < 5; n += 1)
    for (const path of ['/-/health', ...PROBES]) {
      const { status, headers } = await get(path, own);
      t.not(status, 429, path);
      t.is(headers.get('ratelimit-limit'), null);
    }
  t.deepEqual(await own.services.db.query(sql`select 1 from rate_limit_counts`), []);
  t.is((await own.anonymous.get('/projects')).status, 200);
  t.is((await own.anonymous.get('/projects')).status, 429);
});

// Contract: operations-5.2
test('while an open request finishes after SIGTERM, the process is alive, not ready, and still answers', async (t) => {
  const service = await startService(t, { workers: 0 });
  const [api] = service.children;
  const { hostname, port } = new URL(service.url);
  const body = JSON.stringify({ name: 'Slow' });
  const open = request({
    hostname,
    port,
    method: 'POST',
    path: '/api/v4/projects',
    headers: {
      'PRIVATE-TOKEN': service.env.INITIAL_ROOT_TOKEN,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    },
  });
  const answered = once(open, 'response');
  open.write(body.slice(0, 5));
  const probe = (path: string) => service.root.raw('GET', path);
  t.is((await probe('/-/readiness')).status, 200);
  api?.kill('SIGTERM');
  const drained = await eventually(async () => {
    const found = await probe('/-/readiness');
    return found.status === 503 && found;
  });
  t.deepEqual(drained.body, {
    status: 'failed',
    master_check: [{ status: 'failed', message: 'This process is told to stop.' }],
  });
  t.is(drained.headers.get('connection'), 'close');
  t.is((await probe('/-/liveness')).status, 200);
  t.is((await probe('/-/health')).text, 'Capstan OK');
  const exited = once(api as never, 'exit');
  open.end(body.slice(5));
  const [response] = await answered;
  t.is(response.statusCode, 201);
  response.resume();
  t.deepEqual(await exited, [0, null]);
});

// Contract: operations-5.2
test('with DRAIN_SECONDS the process goes on listening, so that load balancers see it is not ready', async (t) => {
  const service = await startService(t, { workers: 0, env: { DRAIN_SECONDS: '2' } });
  const [api] = service.children;
  const exited = once(api as never, 'exit');
  const stoppedAt = performance.now();
  api?.kill('SIGTERM');
  await eventually(async () => (await service.root.raw('GET', '/-/readiness')).status === 503);
  t.deepEqual(await exited, [0, null]);
  t.true(performance.now() - stoppedAt >= 1900);
});

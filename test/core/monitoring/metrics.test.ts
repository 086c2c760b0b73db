import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { countJobAttempt } from '../../../shared/core/metrics/count.js';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import type { TestApp } from '../app.js';
import { readExposition } from './exposition.js';
import type { Metric } from './exposition.js';
import { freePorts } from '../launch/installation.js';
import { eventually, startService } from '../processes.js';

const app = useApp(test, [], { limitsOn: true });
const queued = useApp(test);
const quiet = useApp(test);

/** The contract's names with their types and labels (operations.md section 2). */
const NAMES: Record<string, [type: string, ...labels: string[]]> = {
  http_requests_total: ['counter', 'method', 'status', 'route'],
  http_request_duration_seconds: ['histogram', 'method', 'route'],
  graphql_duration_seconds: ['histogram', 'operation_kind', 'outcome'],
  graphql_complexity: ['histogram', 'operation_kind', 'outcome'],
  db_pool_connections: ['gauge', 'state'],
  sql_duration_seconds: ['histogram'],
  jobs_processed_total: ['counter', 'queue'],
  jobs_failed_total: ['counter', 'queue'],
  jobs_queue_ready: ['gauge', 'queue'],
  jobs_queue_latency_seconds: ['gauge', 'queue'],
  jobs_active: ['gauge', 'queue'],
  rate_limit_throttled_total: ['counter', 'name'],
  spam_checks_total: ['counter', 'checker', 'verdict'],
  spam_check_duration_seconds: ['histogram', 'checker'],
  app_info: ['gauge', 'version', 'revision'],
};

async function getMetrics(of: TestApp = app): Promise<Map<string, Metric>> {
  const { status, text, headers } = await of.anonymous.raw('GET', '/-/metrics');
  if (status !== 200) throw new Error(`metrics are ${status}`);
  if (headers.get('content-type') !== 'text/plain; version=0.0.4; charset=utf-8')
    throw new Error(`metrics are ${headers.get('content-type')}`);
  return readExposition(text);
}

/** The value of one sample; 0 where there is none. */
function getValue(metrics: Map<string, Metric>, name: string, labels: Record<string, string> = {}): number {
  const metric = metrics.get(name) ?? metrics.get(name.replace(/_(count|sum|bucket)$/, ''));
  const found = metric?.samples.find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found?.value ?? 0;
}

// Contract: operations-2.1
test('every metric of the contract is there with its type and labels, and what a Prometheus parser reads', async (t) => {
  const user = await app.build.user();
  const project = await app.build.project({ owner: user });
  await app.as(user).get(`/projects/${project.id}`);
  await app.as(user).graphql('{ currentUser { username } }');
  countJobAttempt('test-queue', 'failed');
  const metrics = await getMetrics();
  for (const [name, [type, ...labels]] of Object.entries(NAMES)) {
    const metric = metrics.get(name);
    t.is(metric?.type, type, name);
    t.not(metric?.help, '');
    for (const sample of metric?.samples ?? [])
      t.deepEqual(
        Object.keys(sample.labels)
          .filter((label) => label !== 'le')
          .sort(),
        [...labels].sort(),
        name,
      );
  }
  for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds'])
    t.true(getValue(metrics, name) > 0 || name === 'nodejs_eventloop_lag_seconds', name);
  t.is(getValue(metrics, 'app_info', { revision: 'abcdef12345' }), 1);
  t.true(getValue(metrics, 'sql_duration_seconds_count') > 5);
  t.true(getValue(metrics, 'db_pool_connections', { state: 'idle' }) >= 1);
  t.deepEqual(
    metrics
      .get('db_pool_connections')
      ?.samples.map(({ labels }) => labels.state)
      .sort(),
    ['busy', 'idle', 'waiting'],
  );
  t.is(getValue(metrics, 'jobs_processed_total', { queue: 'test-queue' }), 1);
  t.is(getValue(metrics, 'jobs_failed_total', { queue: 'test-queue' }), 1);
});

// Contract: operations-5.5
test('buckets of every histogram grow up to its count', async (t) => {
  await app.anonymous.get('/projects');
  await app.anonymous.graphql('{ currentUser { username } }');
  const metrics = await getMetrics();
  let looked = 0;
  for (const [name, { type, samples }] of metrics) {
    if (type !== 'histogram') continue;
    const series = new Map<string, number[]>();
    for (const { name: own, labels, value } of samples) {
      const { le: _le, ...rest } = labels;
      const key = JSON.stringify(rest);
      if (own.endsWith('_sum')) continue;
      series.set(key, [...(series.get(key) ?? []), value]);
    }
    for (const [key, values] of series) {
      looked += 1;
      t.deepEqual(
        values,
        [...values].sort((one, other) => one - other),
        `${name} ${key}`,
      );
      t.is(values.at(-1), values.at(-2), `${name} ${key}: +Inf is the count`);
    }
  }
  t.true(looked > 3);
});

// Contract: operations-5.5
test('requests count by the pattern of their route, also those that fail', async (t) => {
  const user = await app.build.user();
  const project = await app.build.project({ owner: user });
  const one = { method: 'GET', status: '200', route: '/api/v4/projects/:id' };
  const none = { method: 'GET', status: '404', route: '/api/v4/projects/:id' };
  const before = await getMetrics();
  for (let n = 0; n < 3; n += 1) await app.as(user).get(`/projects/${project.id}`);
  await app.as(user).get('/projects/999999');
  const after = await getMetrics();
  t.true(getValue(after, 'http_requests_total', one) - getValue(before, 'http_requests_total', one) >= 3);
  t.true(getValue(after, 'http_requests_total', none) - getValue(before, 'http_requests_total', none) >= 1);
  const seconds = { method: 'GET', route: '/api/v4/projects/:id' };
  t.true(
    getValue(after, 'http_request_duration_seconds_count', seconds) -
      getValue(before, 'http_request_duration_seconds_count', seconds) >=
      4,
  );
});

// Contract: operations-5.5
test('no label holds an id, a path or a name, whatever is asked for', async (t) => {
  const canary = 'canary-7316';
  const user = await app.build.user({ username: canary });
  const project = await app.build.project({ owner: user, name: canary });
  const as = app.as(user);
  const anonymous = app.withHeaders({ 'X-Request-Id': canary, 'User-Agent': canary });
  for (const path of [
    `/api/v4/projects/${user.username}%2F${canary}`,
    `/api/v4/projects/${project.id}/repository/files/${canary}?ref=${canary}`,
    `/api/v4/users?username=${canary}&private_token=${canary}`,
    `/api/v4/${canary}`,
    `/${canary}/${canary}`,
    `/-/web/${canary}`,
    `/uploads/-/system/user/avatar/${user.id}/${canary}.png`,
    `/-/identicons/users/7316.svg`,
    `/oauth/consent/${canary}`,
    `/users/sign_in?login=${canary}`,
  ]) {
    await as.raw('GET', path);
    await anonymous.raw('GET', path);
  }
  for (const method of ['PROPFIND', 'M-SEARCH', 'QUERY']) await as.raw(method, `/${canary}`);
  await as.graphql(`query ${canary.replace('-', '_')} { currentUser { username } }`);
  await as.graphql(`{ ${canary.replace('-', '_')} }`);
  const { text } = await app.anonymous.raw('GET', '/-/metrics');
  t.notRegex(text, /canary/);
  // In labels: a value may be any number.
  const labels = [...readExposition(text).values()].flatMap(({ samples }) => samples.map((sample) => sample.labels));
  t.deepEqual(
    labels.filter((each) => Object.values(each).some((label) => label.includes('7316'))),
    [],
  );
  const patterns = new Set(allRoutes.map(({ path }) => `/api/v4${path}`));
  const routes = new Set(
    [...(readExposition(text).get('http_requests_total')?.samples ?? [])].map(({ labels }) => labels.route ?? ''),
  );
  t.true(routes.size > 4);
  for (const route of routes)
    t.true(patterns.has(route) || !/\d/.test(route.replace('/api/v4', '')), `${route} is no pattern`);
  const methods = readExposition(text)
    .get('http_requests_total')
    ?.samples.map(({ labels }) => labels.method);
  t.true(methods?.includes('OTHER'));
});

// Contract: operations-2.1
test('GraphQL counts by kind and outcome, with its complexity', async (t) => {
  const user = await app.build.user();
  const before = await getMetrics();
  await app.as(user).graphql('{ currentUser { username } }');
  await app.as(user).graphql('{ nothingLikeIt }');
  await app.as(user).graphql('{ this is no query');
  const after = await getMetrics();
  const more = (labels: Record<string, string>) =>
    getValue(after, 'graphql_duration_seconds_count', labels) -
    getValue(before, 'graphql_duration_seconds_count', labels);
  t.true(more({ operation_kind: 'query', outcome: 'ok' }) >= 1);
  t.true(more({ operation_kind: 'query', outcome: 'refused' }) >= 1);
  t.true(more({ operation_kind: 'none', outcome: 'refused' }) >= 1);
  t.true(
    getValue(after, 'graphql_complexity_sum', { operation_kind: 'query', outcome: 'ok' }) >
      getValue(before, 'graphql_complexity_sum', { operation_kind: 'query', outcome: 'ok' }),
  );
});

// Contract: operations-2.1
test('what a rate limit refuses is counted by the name of the limit', async (t) => {
  await app.set({ projects_api_rate_limit_unauthenticated: 1 });
  const name = { name: 'projects_list' };
  const before = getValue(await getMetrics(), 'rate_limit_throttled_total', name);
  t.is((await app.anonymous.get('/projects')).status, 200);
  for (let n = 0; n < 3; n += 1) t.is((await app.anonymous.get('/projects')).status, 429);
  t.is(getValue(await getMetrics(), 'rate_limit_throttled_total', name), before + 3);
});

// Contract: operations-2.1
test('queues tell what is ready, for how long, and what is active; their own statements are not repeated for everybody', async (t) => {
  const { db } = queued.services;
  const [queue] = await db.query<{ name: string }>(
    sql`select name from pgboss.queue where name !~ '^__' order by name limit 1`,
  );
  const name = queue?.name as string;
  const add = (state: string, minutes: number) =>
    db.query(sql`insert into pgboss.job (name, policy, state, created_on, start_after)
      values (${name}, 'test', ${state}::pgboss.job_state, pgboss.job_now() - interval '1 hour',
              pgboss.job_now() - make_interval(mins => ${minutes}))`);
  await add('created', 5);
  await add('retry', 2);
  await add('created', -10);
  await add('active', 5);
  await add('completed', 5);
  await db.query(sql`update pgboss.queue set active_count = 1 where name = ${name}`);
  const before = db.statements;
  const metrics = await getMetrics(queued);
  await getMetrics(queued);
  // One for the queues, and one for jobs that wait for runners.
  t.is(db.statements - before, 2);
  t.is(getValue(metrics, 'jobs_queue_ready', { queue: name }), 2);
  const seconds = getValue(metrics, 'jobs_queue_latency_seconds', { queue: name });
  t.true(seconds >= 300 && seconds < 900, String(seconds));
  t.is(getValue(metrics, 'jobs_active', { queue: name }), 1);
  const queues = metrics.get('jobs_queue_ready')?.samples.map(({ labels }) => labels.queue ?? '');
  t.true((queues?.length ?? 0) > 5);
  t.deepEqual(
    queues?.filter((one) => one.startsWith('__')),
    [],
  );
});

// Contract: operations-2.3
test('disabled metrics are one line that says so', async (t) => {
  await quiet.set({ prometheus_metrics_enabled: false });
  const { status, text, headers } = await quiet.anonymous.raw('GET', '/-/metrics');
  t.is(status, 200);
  t.is(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  t.regex(text, /^# [^\n]+\n$/);
});

// Contract: operations-2.2
test('a worker tells its own metrics on the port that the settings name, to the same list', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const service = await startService(t, { workers: 0 });
  await service.startWorker({ WORKER_METRICS_PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  t.is((await service.root.post('/projects', { name: 'Counted' })).status, 201);
  const { id } = (await service.root.post('/groups', { name: 'Gone', path: 'gone' })).body;
  t.is((await service.root.delete(`/groups/${id}`)).status, 202);
  await service.root.put('/application/settings', { deletion_adjourned_period: 0 });
  const other = (await service.root.post('/groups', { name: 'Gone at once', path: 'gone-at-once' })).body;
  t.is((await service.root.delete(`/groups/${other.id}`)).status, 202);
  const metrics = await eventually(async () => {
    const answer = await fetch(`${url}/-/metrics`);
    if (answer.status !== 200) return null;
    const found = readExposition(await answer.text());
    return (found.get('jobs_processed_total')?.samples.length ?? 0) > 0 && found;
  });
  t.deepEqual(
    Object.keys(NAMES).filter((name) => !metrics.has(name)),
    [],
  );
  t.true(metrics.get('jobs_processed_total')?.samples.every(({ value }) => value > 0));
  t.true(getValue(metrics, 'sql_duration_seconds_count') > 0);
  t.is((await fetch(`${url}/-/other`)).status, 404);
  t.is((await fetch(`${url}/-/metrics`, { method: 'POST' })).status, 404);
  await service.root.put('/application/settings', { monitoring_allowlist: ['192.0.2.0/24'] });
  await eventually(async () => (await fetch(`${url}/-/metrics`)).status === 404);
  const forged = await fetch(`${url}/-/metrics`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
  t.is(forged.status, 404);
  t.is(await forged.text(), '{"error":"404 Not Found"}');
});

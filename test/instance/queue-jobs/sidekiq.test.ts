import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { makeQueue, getState, storeJobs } from './stored-jobs.js';

const app = useApp(test);
let admin: BuiltUser;

test.serial.before('who looks', async () => {
  admin = await app.build.admin();
});

type Metrics = { queues: Record<string, { backlog: number; latency: number }> };
const getJobs = async () =>
  ((await app.as(admin).get('/sidekiq/job_stats')).body as { jobs: Record<string, number> }).jobs;

// Contract: jobs-6.1, jobs-14.internal
test.serial('the public measures have their shapes, with empty and with busy queues', async (t) => {
  const name = await makeQueue(app, 'test.metrics');
  const dead = await makeQueue(app, 'test.metrics-dead');
  await makeQueue(app, 'test.metrics-letters', { deadLetter: dead });
  const metrics = async () => (await app.as(admin).get('/sidekiq/queue_metrics')).body as Metrics;
  t.deepEqual((await metrics()).queues[name], { backlog: 0, latency: 0 });
  const before = await getJobs();
  t.deepEqual(Object.keys(before), ['processed', 'failed', 'enqueued', 'dead']);
  await storeJobs(app, [
    { queue: name, created_on: new Date(Date.now() - 30_000) },
    { queue: name, start_after: new Date(Date.now() + 60_000) },
    { queue: name, state: 'failed' },
    { queue: dead },
  ]);
  const busy = (await metrics()).queues[name];
  t.is(busy?.backlog, 1);
  t.true(busy !== undefined && busy.latency >= 30 && busy.latency < 90);
  t.deepEqual(await getJobs(), {
    ...before,
    enqueued: (before.enqueued as number) + 2,
    dead: (before.dead as number) + 2,
  });
  // Paused: no worker claims the job, and it waits longer.
  await app.as(admin).request('POST', `/admin/jobs/queues/${name}/pause`);
  await app.services.db.query(sql`
    update pgboss.job j set start_after = j.start_after - interval '1 hour' where j.name = ${name} and j.state = 'created'`);
  t.true(((await metrics()).queues[name]?.latency as number) >= 3600);
  const compound = (await app.as(admin).get('/sidekiq/compound_metrics')).body as object;
  t.deepEqual(Object.keys(compound), ['queues', 'processes', 'jobs']);
  t.false(Object.keys((await metrics()).queues).some((queue) => queue.startsWith('__pgboss')));
  await app.services.db.query(sql`
    insert into queue_counters (queue, worker_id, processed, failed) values (${name}, 1, 10, 3), (${name}, 2, 5, 0)`);
  const counted = await getJobs();
  t.like(counted, { processed: (before.processed as number) + 15, failed: (before.failed as number) + 3 });
});

const remove = (queue: string, query: string) => app.as(admin).delete(`/admin/sidekiq/queues/${queue}${query}`);

// Contract: jobs-6.2, jobs-14.nofilter, jobs-14.unknown
test('waiting jobs are deleted by their context: filters add up, and what runs is left alone', async (t) => {
  const queue = await makeQueue(app, 'test.delete');
  const ann = { user: 'ann', project: 'g/p', root_namespace: 'g', caller_id: 'createThing', feature_category: 'f' };
  const [one, other, active, bob] = (await storeJobs(app, [
    { queue, context: ann },
    { queue, state: 'retry', context: { ...ann, project: 'g/q' } },
    { queue, state: 'active', context: ann },
    { queue, context: { ...ann, user: 'bob' } },
  ])) as [string, string, string, string];
  const without = await remove(queue, '');
  t.is(without.status, 400);
  t.regex(
    (without.body as { error: string }).error,
    /^user, project, .* are missing, at least one parameter must be provided$/,
  );
  t.like(await remove(queue, '?user='), { status: 400, body: { error: 'user is empty' } });
  t.like(await remove('none', '?user=ann'), { status: 404, body: { message: '404 Not Found' } });
  const nothing = { completed: true, deleted_jobs: 0, queue_size: 3 };
  for (const query of ['user=eve', 'user=ann&pipeline_id=1', 'worker_class=other', 'user=ann&feature_category=x'])
    t.deepEqual((await remove(queue, `?${query}`)).body, nothing, query);
  t.deepEqual((await remove(queue, '?user=ann&project=g/p')).body, {
    completed: true,
    deleted_jobs: 1,
    queue_size: 2,
  });
  t.deepEqual(await Promise.all([one, other, active, bob].map((id) => getState(app, id))), [
    null,
    'retry',
    'active',
    'created',
  ]);
  const body = { user: 'bob', worker_class: queue };
  t.like((await app.as(admin).request('DELETE', `/admin/sidekiq/queues/${queue}`, body)).body, { deleted_jobs: 1 });
  const [note] = await app.services.db.query<{ message: string }>(sql`
    select e.message from audit_events e 
     where e.event_name = 'queue_jobs_deleted' and e.message like ${`% ${queue} %`} order by e.id desc limit 1`);
  t.is(note?.message, `Deleted 1 waiting jobs of queue ${queue} of user "bob" and worker class "${queue}"`);
});

// Contract: jobs-6.2
test('what is too much for one request is told to be unfinished', async (t) => {
  const queue = await makeQueue(app, 'test.delete-many');
  await app.services.db.query(sql`
    insert into pgboss.job (name, policy, data) select ${queue}, 'standard', '{"_ctx": {"user": "ann"}}'
      from generate_series(1, 10001)`);
  t.deepEqual((await remove(queue, '?user=ann')).body, { completed: false, deleted_jobs: 10_000, queue_size: 1 });
  t.deepEqual((await remove(queue, '?user=ann')).body, { completed: true, deleted_jobs: 1, queue_size: 0 });
});

// Contract: jobs-1.graphql
test('GraphQL deletes jobs in the same way', async (t) => {
  const queue = await makeQueue(app, 'test.delete-graphql');
  await storeJobs(app, [{ queue, context: { user: 'ann' } }, { queue }]);
  const query = `mutation ($input: AdminSidekiqQueuesDeleteJobsInput!) {
    adminSidekiqQueuesDeleteJobs(input: $input) { result { completed deletedJobs queueSize } errors } }`;
  const ask = async (input: object, user = admin) => (await app.as(user).graphql(query, { input })).body as unknown;
  t.like(await ask({ queueName: queue, user: 'ann' }), {
    data: {
      adminSidekiqQueuesDeleteJobs: { result: { completed: true, deletedJobs: 1, queueSize: 1 }, errors: [] },
    },
  });
  t.regex(JSON.stringify(await ask({ queueName: queue })), /at least one parameter must be provided/);
  t.regex(JSON.stringify(await ask({ queueName: queue, user: 'x' }, await app.build.user())), /"errors":\[/);
});

// Contract: jobs-14.gitbeaker
test('@gitbeaker/rest reads the measures and deletes jobs', async (t) => {
  const queue = await makeQueue(app, 'test.gitbeaker');
  await storeJobs(app, [{ queue, context: { user: 'ann' } }]);
  const api = new Gitlab({ host: app.url, token: admin.token });
  const { queues } = (await api.SidekiqMetrics.queueMetrics()) as unknown as Metrics;
  t.is(queues[queue]?.backlog, 1);
  t.true(Array.isArray(((await api.SidekiqMetrics.processMetrics()) as { processes: unknown }).processes));
  t.truthy(((await api.SidekiqMetrics.jobStats()) as { jobs: unknown }).jobs);
  t.truthy(((await api.SidekiqMetrics.compoundMetrics()) as { jobs: unknown }).jobs);
  // This client sends deletions as GET, which deletes nothing here: its requester uses DELETE.
  const { SidekiqQueues } = api;
  await t.throwsAsync(SidekiqQueues.remove(queue, { user: 'ann' }), { message: '405 Not Allowed' });
  const { body } = await SidekiqQueues.requester.delete(`admin/sidekiq/queues/${queue}`, {
    searchParams: { user: 'ann' },
  });
  t.deepEqual(body as unknown, { completed: true, deleted_jobs: 1, queue_size: 0 });
});

// Contract: jobs-1.rights
test('the public measures are for administrators of instances of their own', async (t) => {
  const paths = ['queue_metrics', 'process_metrics', 'job_stats', 'compound_metrics'].map((name) => `/sidekiq/${name}`);
  const auditor = await app.build.user({ auditor: true });
  const reader = await app.build.token(admin, { scopes: ['read_api'] });
  const writer = await app.build.token(admin, { scopes: ['api'] });
  for (const path of paths) {
    t.like(await app.anonymous.get(path), { status: 401, body: { message: '401 Unauthorized' } });
    t.like(await app.as(auditor).get(path), { status: 403, body: { message: '403 Forbidden' } });
    t.is((await app.as(reader).get(path)).status, 200);
  }
  const path = '/admin/sidekiq/queues/queue_jobs.tend?user=nobody';
  t.is((await app.anonymous.delete(path)).status, 401);
  t.is((await app.as(auditor).delete(path)).status, 403);
  t.like(await app.as(reader).delete(path), { status: 403, body: { error: 'insufficient_scope' } });
  t.is((await app.as(writer).delete(path)).status, 200);
});

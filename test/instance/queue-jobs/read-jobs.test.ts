import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { makeQueue, storeJobs } from './stored-jobs.js';

const app = useApp(test);
let admin: BuiltUser;

test.serial.before('who looks', async () => {
  admin = await app.build.admin();
});

type Jobs = { id: string; queue: string; state: string }[];

const ids = (jobs: unknown) => (jobs as Jobs).map(({ id }) => id);

// Contract: jobs-5.queues
test('queues tell how they stand, one by one and in a list', async (t) => {
  const name = await makeQueue(app, 'test.counts');
  const old = new Date(Date.now() - 90_000);
  await storeJobs(app, [
    { queue: name, created_on: old },
    { queue: name },
    { queue: name, start_after: new Date(Date.now() + 60_000) },
    { queue: name, state: 'active' },
    { queue: name, state: 'failed' },
    { queue: name, state: 'completed' },
  ]);
  const list = await app.as(admin).get('/admin/jobs/queues');
  t.is(list.status, 200);
  const found = (list.body as { name: string; latency_seconds: number }[]).find((queue) => queue.name === name);
  t.like(found, { ready: 2, deferred: 1, blocked: 0, active: 1, failed: 1, total: 5, paused: false });
  t.true(found !== undefined && found.latency_seconds >= 90 && found.latency_seconds < 150);
  const one = await app.as(admin).get(`/admin/jobs/queues/${name}`);
  t.like(one.body, { name, ready: 2, policy: 'standard', dead_letter: null, pause: null });
  t.like((one.body as { retry_policy: object }).retry_policy, { limit: 2 });
  t.like(await app.as(admin).get('/admin/jobs/queues/none'), {
    status: 404,
    body: { message: '404 Queue Not Found' },
  });
});

test('jobs that wait for other jobs are counted apart', async (t) => {
  const name = await makeQueue(app, 'test.blocked');
  await app.services.boss.flow([
    { ref: 'one', name },
    { ref: 'two', name },
    { ref: 'three', name, dependsOn: ['one', 'two'] },
  ]);
  const { body } = await app.as(admin).get(`/admin/jobs/queues/${name}`);
  t.like(body, { ready: 2, deferred: 0, blocked: 1, active: 0, total: 3 });
});

// Contract: jobs-5.search
test('jobs of all queues are found by what is known of them, page by page', async (t) => {
  const [one, two] = [await makeQueue(app, 'test.search-a'), await makeQueue(app, 'test.search-b')];
  const at = new Date('2029-06-01T00:00:00Z');
  const jobIds = await storeJobs(app, [
    { queue: one, context: { user: 'ann', project: 'g/p' }, created_on: at },
    { queue: two, context: { user: 'ann' }, created_on: at },
    { queue: one, state: 'failed', context: { user: 'bob', project: 'g/p' }, output: { message: 'no' } },
    { queue: two, state: 'completed' },
    { queue: two, state: 'active' },
  ]);
  const get = async (query: string) => ids((await app.as(admin).get(`/admin/jobs?search=test.search-&${query}`)).body);
  t.deepEqual((await get('')).toSorted(), jobIds.toSorted());
  t.deepEqual((await get('user=ann')).toSorted(), jobIds.slice(0, 2).toSorted());
  t.deepEqual(await get('user=ann&project=g/p'), [jobIds[0]]);
  t.deepEqual(await get('state=failed'), [jobIds[2]]);
  t.deepEqual((await get('state=failed,active')).toSorted(), [jobIds[2], jobIds[4]].toSorted());
  t.deepEqual(await get(`queue=${two}&state=completed`), [jobIds[3]]);
  t.deepEqual(
    (await get('created_after=2029-05-31&created_before=2029-06-02')).toSorted(),
    jobIds.slice(0, 2).toSorted(),
  );
  t.deepEqual(ids((await app.as(admin).get(`/admin/jobs?search=${jobIds[2]}`)).body), [jobIds[2]]);
  t.deepEqual(ids((await app.as(admin).get(`/admin/jobs?search=${jobIds[2]}&state=active`)).body), []);
  const sorted = await get('sort=asc');
  t.deepEqual((await get('')).toReversed(), sorted);
  // Two were sent at the same instant: the id is the tiebreaker, and no page repeats or loses one.
  for (const sort of ['asc', 'desc']) {
    const walked: string[] = [];
    let next = `/admin/jobs?search=test.search-&sort=${sort}&pagination=keyset&per_page=1`;
    for (let page = 0; page <= jobIds.length; page += 1) {
      const answer = await app.as(admin).get(next);
      walked.push(...ids(answer.body));
      const [, url] = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '') ?? [];
      if (!url) break;
      next = url.slice(url.indexOf('/admin/jobs'));
    }
    t.deepEqual(walked, sort === 'asc' ? sorted : sorted.toReversed());
  }
  const count = await app.as(admin).get('/admin/jobs/count?search=test.search-&state=created');
  t.deepEqual(count.body, { count: 2, limited: false });
});

// Contract: jobs-5.schedules
test('recurring jobs tell their next five runs and what became of the last one', async (t) => {
  const [last] = await storeJobs(app, [{ queue: 'queue_jobs.sample', state: 'failed' }]);
  const { body, status } = await app.as(admin).get('/admin/jobs/schedules');
  t.is(status, 200);
  const jobs = body as { name: string; next_runs: string[] }[];
  const sampling = jobs.find(({ name }) => name === 'queue_jobs.sample');
  t.like(sampling, { key: 'recurring', every_seconds: 60, last_result: 'failed', last_job_id: last });
  const now = app.clock.now().getTime();
  const runs = sampling?.next_runs.map((at) => Date.parse(at)) ?? [];
  t.is(runs.length, 5);
  t.true((runs[0] as number) > now && (runs[0] as number) <= now + 60_000);
  t.true(runs.every((at, index) => at % 60_000 === 0 && at === (runs[0] as number) + index * 60_000));
  t.true(jobs.some(({ name }) => name === 'pipeline_schedules.tend'));
});

// Contract: jobs-5.processes
test('worker processes are listed, those that are gone as stale', async (t) => {
  await app.services.db.query(sql`
    insert into queue_workers (hostname, pid, tag, version, queues, concurrency, busy, started_at, last_seen_at)
    values ('here', 7, 'capstan', '1', '{a,b}', 3, 1, now() - interval '1 hour', now()),
           ('gone', 8, 'capstan', '1', '{a}', 3, 1, now() - interval '1 hour', now() - interval '31 seconds')`);
  const all = (await app.as(admin).get('/admin/jobs/processes')).body as { hostname: string }[];
  const of = (name: string) => all.find(({ hostname }) => hostname === name);
  t.like(of('here'), { pid: 7, queues: ['a', 'b'], labels: [], concurrency: 3, busy: 1, version: '1', stale: false });
  t.like(of('gone'), { stale: true });
  const { processes } = (await app.as(admin).get('/sidekiq/process_metrics')).body as { processes: object[] };
  t.deepEqual(
    processes.map((process) => Object.keys(process)),
    [['hostname', 'pid', 'tag', 'started_at', 'queues', 'labels', 'concurrency', 'busy']],
  );
});

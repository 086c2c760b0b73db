import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { createRunningJob } from './running-job.js';
import type { RunningJob } from './running-job.js';

const app = useApp(test);

/** Both states that a log is read in. */
const STATES: [string, (job: RunningJob) => Promise<void>][] = [
  ['while its job runs', () => Promise.resolve()],
  [
    'once it is sealed',
    async (job) => {
      await job.end();
      await job.seal();
    },
  ],
];

// Contract: ci-job-logs.read
test('vector 65: a log is plain text that no browser runs, whatever it holds', async (t) => {
  for (const [, prepare] of STATES) {
    const job = await createRunningJob(app);
    const hostile = '<script>alert(1)</script>\u001b]0;title\u0007section_start:1:x\r\u001b[0K\u0000\n';
    await job.patch('0-', hostile);
    await prepare(job);
    const { status, text, headers } = await job.owner.get(`${job.path}/trace`);
    t.is(status, 200);
    t.is(text, hostile);
    t.is(headers.get('content-type'), 'text/plain; charset=utf-8');
    t.is(headers.get('x-content-type-options'), 'nosniff');
    t.is(headers.get('content-disposition'), `attachment; filename="${job.id}.log"`);
    t.is(headers.get('content-security-policy'), "default-src 'none'; sandbox");
  }
});

for (const [when, prepare] of STATES)
  // Contract: ci-job-logs.range
  test(`a log is read in ranges ${when}`, async (t) => {
    const job = await createRunningJob(app);
    await job.patch('0-', 'a'.repeat(131_072));
    await job.patch('131072-', '0123456789');
    await prepare(job);
    const read = (range: string) => job.owner.with({ Range: range }).get(`${job.path}/trace`);
    const part = await read('bytes=131070-131075');
    t.deepEqual([part.status, part.text], [206, 'aa0123']);
    t.is(part.headers.get('content-range'), 'bytes 131070-131075/131082');
    t.is((await read('bytes=-3')).text, '789');
    t.is((await read('bytes=131080-')).text, '89');
    const beyond = await read('bytes=131082-');
    t.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, 'bytes */131082']);
    t.is((await job.owner.head(`${job.path}/trace`)).headers.get('content-length'), '131082');
  });

// Contract: ci-job-logs.read
test('a job without a log has an empty one, also a job that is only reported', async (t) => {
  const job = await createRunningJob(app);
  const { status, text, headers } = await job.owner.get(`${job.path}/trace`);
  t.deepEqual([status, text], [200, '']);
  t.is(headers.get('content-type'), 'text/plain; charset=utf-8');
  const { body } = await job.owner.post(`/projects/${job.project.id}/statuses/main`, { name: 'x', state: 'success' });
  const reported = await job.owner.get(`/projects/${job.project.id}/jobs/${body.id}/trace`);
  t.deepEqual([reported.status, reported.text], [200, '']);
  t.is((await job.owner.get(`/projects/${job.project.id}/jobs/1000000/trace`)).status, 404);
});

// Contract: ci-job-logs.rights
test('whoever reads the job reads its log: with public jobs everybody who sees the project', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'log');
  const guest = app.as(await app.build.member(job.project as never, 'guest'));
  const reporter = app.as(await app.build.member(job.project as never, 'reporter'));
  const status = async (client: typeof guest) => (await client.get(`${job.path}/trace`)).status;
  t.is(await status(app.anonymous), 404);
  await job.owner.put(`/projects/${job.project.id}`, { public_jobs: false });
  t.deepEqual([await status(guest), await status(reporter)], [403, 200]);
  await job.owner.put(`/projects/${job.project.id}`, { public_jobs: true });
  t.is(await status(guest), 200);
  await app.context().query(sql`update projects set visibility = 'public' where id = ${job.project.id}`);
  t.is(await status(app.anonymous), 200);
  await job.owner.put(`/projects/${job.project.id}`, { public_jobs: false });
  t.is(await status(app.anonymous), 403);
});

// Contract: ci-job-logs.rights
test('a log that its runner marked for debugging is for Developers who may run the job', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'SECRET=1', '?debug_trace=true');
  const reporter = app.as(await app.build.member(job.project as never, 'reporter'));
  // `main` is protected: Developers do not run pipelines there.
  const developer = app.as(await app.build.member(job.project as never, 'developer'));
  const maintainer = app.as(await app.build.member(job.project as never, 'maintainer'));
  const status = async (client: typeof reporter) => (await client.get(`${job.path}/trace`)).status;
  t.deepEqual([await status(reporter), await status(developer), await status(maintainer)], [403, 403, 200]);
  await app.context().query(sql`update pipelines set ref = 'work' where id = ${job.pipelineId}`);
  t.deepEqual([await status(reporter), await status(developer)], [403, 200]);
});

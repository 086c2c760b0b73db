import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { createRunningJob } from './running-job.js';

const app = useApp(test);

// Contract: ci-job-logs.gap
test('vector 49: a patch that begins beyond the end of the log is 416 with its size', async (t) => {
  const job = await createRunningJob(app);
  const first = await job.patch('0-9', '0123456789');
  t.is(first.status, 202);
  t.is(first.headers.get('range'), '0-10');
  t.is(first.headers.get('job-status'), 'running');
  const gap = await job.patch('20-29', '0123456789');
  t.is(gap.status, 416);
  t.is(gap.headers.get('range'), '0-10');
  t.is(await job.read(), '0123456789');
});

// Contract: ci-job-logs.repeat
test('vector 50: the same patch twice is accepted twice, and written once', async (t) => {
  const job = await createRunningJob(app);
  for (const _ of [1, 2]) {
    const { status, headers } = await job.patch('0-9', '0123456789');
    t.deepEqual([status, headers.get('range')], [202, '0-10']);
  }
  t.is(await job.read(), '0123456789');
});

// Contract: ci-job-logs.repeat
test('a patch that overlaps the log replaces what the log has from its start on', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-9', '0123456789');
  await job.patch('10-19', 'abcdefghij');
  const { status, headers } = await job.patch('5-7', 'XYZ');
  t.deepEqual([status, headers.get('range')], [202, '0-8']);
  t.is(await job.read(), '01234XYZ');
});

// Contract: ci-job-logs.repeat
test('the end of a range is not looked at: the length of the body counts', async (t) => {
  const job = await createRunningJob(app);
  t.is((await job.patch('0-10', '0123456789')).headers.get('range'), '0-10');
  t.is((await job.patch('10-3', 'abc')).headers.get('range'), '0-13');
  t.is((await job.patch('13-', '')).status, 202);
  t.is(await job.read(), '0123456789abc');
});

// Contract: ci-job-logs.patch
test('a patch without a range is 400, and one of more than 1 MiB is 413', async (t) => {
  const job = await createRunningJob(app);
  t.is((await job.patch('', 'x')).status, 400);
  t.is((await job.patch('abc', 'x')).status, 400);
  t.is((await job.patch('0-1048576', Buffer.alloc(1024 * 1024 + 1, 'x'))).status, 413);
  t.is((await job.patch('0-1048575', Buffer.alloc(1024 * 1024, 'x'))).status, 202);
});

// Contract: ci-job-logs.patch
test('the bytes of a patch count to its job, and not to the address that many runners may share', async (t) => {
  const job = await createRunningJob(app);
  const { incoming } = app.traffic;
  const body = Buffer.alloc(64 * 1024, 'x');
  const sent = request(`${app.url}/api/v4/jobs/${job.id}/trace`, {
    method: 'PATCH',
    headers: { 'JOB-TOKEN': job.token, 'Content-Range': '0-', 'Content-Length': body.length },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  sent.write(body.subarray(0, 1024));
  while (incoming.heldBy(`job ${job.id}`) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  sent.end(body.subarray(1024));
  const answer = await answered;
  t.is(answer.statusCode, 202);
  answer.resume();
});

// Contract: ci-job-logs.bytes
test('every byte is kept as it came, also across chunks', async (t) => {
  const job = await createRunningJob(app);
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 8)) % 256));
  await job.patch('0-', bytes.subarray(0, 200_001));
  await job.patch('200001-', bytes.subarray(200_001));
  const response = await fetch(`${app.url}/api/v4${job.path}/trace`, {
    headers: { 'PRIVATE-TOKEN': job.project.owner.token },
  });
  t.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
});

// Contract: ci-job-logs.token
test('vector 53: a token opens no log after the end of its job, nor that of another job', async (t) => {
  const job = await createRunningJob(app);
  const other = await createRunningJob(app);
  const send = (id: number, token: string) =>
    app
      .withHeaders({ 'JOB-TOKEN': token, 'Content-Range': '0-0' })
      .raw('PATCH', `/api/v4/jobs/${id}/trace`, 'x', 'text/plain');
  t.is((await send(other.id, job.token)).status, 403);
  t.is((await send(other.id, job.token)).headers.get('job-status'), null);
  t.is((await send(job.id, 'nonsense')).status, 403);
  t.is((await send(1_000_000, job.token)).status, 403);
  await job.end('canceled');
  const ended = await send(job.id, job.token);
  t.deepEqual([ended.status, ended.headers.get('job-status')], [403, 'canceled']);
  t.is(await other.read(), '');
});

// Contract: ci-job-logs.interval
test('a runner is asked for patches every 3 s in the first minute of a job, then every 60 s', async (t) => {
  const job = await createRunningJob(app);
  const interval = async (range: string) => (await job.patch(range, 'x')).headers.get('x-gitlab-trace-update-interval');
  t.is(await interval('0-0'), '3');
  await app
    .context()
    .query(sql`update jobs set started_at = ${new Date(app.clock.now().getTime() - 61_000)} where id = ${job.id}`);
  t.is(await interval('1-1'), '60');
});

// Contract: ci-job-logs.patch
test('a job that is being canceled still writes its log, and its runner learns of the cancel', async (t) => {
  const job = await createRunningJob(app, { status: 'canceling' });
  const { status, headers } = await job.patch('0-1', 'ok');
  t.deepEqual([status, headers.get('job-status')], [202, 'canceling']);
});

// Contract: ci-job-logs.first
test('the first bytes of a log are noted once', async (t) => {
  const job = await createRunningJob(app);
  const first = async () => {
    const [row] = await app
      .context()
      .query<{ first_log_at: Date | null }>(sql`select first_log_at from jobs where id = ${job.id}`);
    return row?.first_log_at ?? null;
  };
  t.is(await first(), null);
  await job.patch('0-0', 'x');
  const noted = await first();
  t.truthy(noted);
  await job.patch('0-0', 'y');
  t.deepEqual(await first(), noted);
});

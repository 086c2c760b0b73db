import test from 'ava';
import { crc32 } from 'node:zlib';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { createRunningJob } from './running-job.js';
import type { RunningJob } from './running-job.js';

const app = useApp(test);

/** As runners write it. */
const checksumOf = (text: string): string => `crc32:${crc32(text).toString(16).padStart(8, '0')}`;

const report = (job: RunningJob, output?: { checksum?: string; bytesize?: number }) =>
  app.anonymous.put(`/jobs/${job.id}`, { token: job.token, state: 'success', ...(output ? { output } : {}) });

async function readJob(job: RunningJob) {
  const [row] = await app
    .context()
    .query<{ status: string; failure_reason: string | null; log_incomplete: boolean }>(
      sql`select status, failure_reason, log_incomplete from jobs where id = ${job.id}`,
    );
  return row;
}

// Contract: ci-job-logs.checksum
test.serial('vector 51: a final report with another checksum is 412; after all is sent again it is 200', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'hello worls');
  const output = { checksum: checksumOf('hello world'), bytesize: 11 };
  t.is((await report(job, output)).status, 412);
  t.is((await readJob(job))?.status, 'running');
  await job.patch('0-', 'hello world');
  t.is((await report(job, output)).status, 200);
  t.like(await readJob(job), { status: 'success', log_incomplete: false });
});

// Contract: ci-job-logs.checksum
test.serial('a runner is told twice at most that its log differs; then the end counts, with a mark', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'abc');
  const output = { checksum: checksumOf('abd'), bytesize: 3 };
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await report(job, output)).status);
  t.deepEqual(statuses, [412, 412, 200]);
  t.like(await readJob(job), { status: 'success', log_incomplete: true });
});

// Contract: ci-job-logs.checksum
test.serial(
  'a final report before the end of the log is 202 for five minutes, then the end counts, with a mark',
  async (t) => {
    const job = await createRunningJob(app);
    await job.patch('0-', 'abc');
    const output = { checksum: checksumOf('abcdef'), bytesize: 6 };
    t.is((await report(job, output)).status, 202);
    app.clock.advance('4 minutes');
    t.is((await report(job, output)).status, 202);
    app.clock.advance('1 minute');
    t.is((await report(job, output)).status, 200);
    t.like(await readJob(job), { status: 'success', log_incomplete: true });
  },
);

// Contract: ci-job-logs.checksum
test.serial('the checksum follows the log when it is cut and written again', async (t) => {
  const job = await createRunningJob(app);
  const text = 'x'.repeat(200_000) + 'y'.repeat(200_000);
  await job.patch('0-', text.slice(0, 150_000));
  await job.patch('150000-', 'wrong'.repeat(50_000));
  await job.patch('140000-', text.slice(140_000));
  t.is((await report(job, { checksum: checksumOf(text), bytesize: text.length })).status, 200);
  t.false((await readJob(job))?.log_incomplete);
});

// Contract: ci-job-logs.limit
test.serial('vector 54: a log that would be longer than the limit drops its job', async (t) => {
  const job = await createRunningJob(app);
  await app.set({ ci_jobs_trace_size_limit: 1 });
  t.is((await job.patch('0-', Buffer.alloc(1024 * 1024, 'x'))).status, 202);
  const { status, headers } = await job.patch('1048576-', 'y');
  t.deepEqual([status, headers.get('job-status')], [403, 'failed']);
  t.like(await readJob(job), { status: 'failed', failure_reason: 'trace_size_exceeded' });
  t.is((await job.patch('1048576-', 'y')).status, 403);
  // Beyond the end it is a gap, as ever.
  const other = await createRunningJob(app);
  t.is((await other.patch('1048577-', 'y')).status, 416);
  t.is((await readJob(other))?.status, 'running');
});

// Contract: ci-job-logs.seal
test.serial('a job that a report ends has its log sealed', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'log');
  await report(job);
  await app.work();
  const [row] = await app.context().query<{ sealed: boolean; chunks: number }>(sql`
    select sealed_at is not null as sealed,
      (select count(*)::int from job_log_chunks c where c.job_id = l.job_id) as chunks
      from job_logs l where job_id = ${job.id}`);
  t.deepEqual({ ...row }, { sealed: true, chunks: 0 });
});

// Contract: ci-job-logs.first
test.serial('a job says how long its first line took', async (t) => {
  const job = await createRunningJob(app);
  t.is((await job.owner.get(job.path)).body.time_to_first_log_ms, null);
  app.clock.advance('2 seconds');
  await job.patch('0-', 'hello');
  t.is((await job.owner.get(job.path)).body.time_to_first_log_ms, 2000);
});

// Contract: ci-job-logs.token
test.serial('refused patches count to their address, and no others', async (t) => {
  const job = await createRunningJob(app);
  await app.set({
    throttle_unauthenticated_api_enabled: true,
    throttle_unauthenticated_api_requests_per_period: 2,
  });
  for (const [start, letter] of ['a', 'b', 'c'].entries()) t.is((await job.patch(`${start}-`, letter)).status, 202);
  const guess = () =>
    app
      .withHeaders({ 'JOB-TOKEN': 'nonsense', 'Content-Range': '0-0' })
      .raw('PATCH', `/api/v4/jobs/${job.id}/trace`, 'x', 'text/plain');
  for (const status of [403, 403, 429]) t.is((await guess()).status, status);
  t.is((await job.patch('3-', 'd')).status, 202);
  await app.set({ throttle_unauthenticated_api_enabled: false });
});

import test from 'ava';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { sealDefinition } from '../../../shared/ci/processing/job-definition.js';
import { useApp } from '../../core/app.js';
import { tendJobLogs } from '../../../shared/ci/ci.jobs.js';
import { findCoverage } from '../../../shared/ci/job-logs/find-coverage.js';
import { buildJobDefinition } from '../job-definition-sample.js';
import { createRunningJob } from './running-job.js';
import type { RunningJob } from './running-job.js';

const app = useApp(test);

async function stored(job: RunningJob) {
  const [row] = await app.context().query<{ chunks: number; key: string | null; bytes: number; sha256: string }>(sql`
    select (select count(*)::int from job_log_chunks where job_id = ${job.id}) as chunks, o.key, o.bytes::int, o.sha256
      from job_logs l left join stored_objects o on o.id = l.object_id where l.job_id = ${job.id}`);
  return row;
}

// Contract: ci-job-logs.seal
test('the log of a job that is over moves into the object store, with size and SHA-256', async (t) => {
  const job = await createRunningJob(app);
  const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 31) % 251));
  await job.patch('0-', bytes);
  await job.seal();
  t.is((await stored(job))?.chunks, 4);
  await job.end();
  await job.seal();
  const row = await stored(job);
  t.is(row?.chunks, 0);
  t.like(row, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  await job.seal();
  t.is((await stored(job))?.key, row?.key);
  const response = await fetch(`${app.url}/api/v4${job.path}/trace`, {
    headers: { 'PRIVATE-TOKEN': job.project.owner.token },
  });
  t.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
});

// Contract: ci-job-logs.seal
test('a sealed log takes no more bytes', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'all');
  await job.end();
  await job.seal();
  await app.context().query(sql`update jobs set status = 'running', finished_at = null where id = ${job.id}`);
  t.is((await job.patch('3-', 'more')).status, 403);
  t.is(await job.read(), 'all');
});

// Contract: ci-job-logs.seal
test('logs that nobody sealed are found', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'left behind');
  await job.end('failed');
  app.clock.advance('2 minutes');
  await app.services.jobs.send(tendJobLogs, {});
  await app.work();
  t.is((await stored(job))?.chunks, 0);
  t.is(await job.read(), 'left behind');
});

// Contract: ci-job-logs.seal
test('the object of a log is released with its job', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'log');
  await job.end();
  await job.seal();
  const key = (await stored(job))?.key;
  await app.context().query(sql`delete from pipelines where id = ${job.pipelineId}`);
  const [row] = await app
    .context()
    .query<{ removed: boolean }>(sql`select removed_at is not null as removed from stored_objects where key = ${key}`);
  t.true(row?.removed);
});

async function coverageOf(pattern: string, log: string): Promise<number | null> {
  const job = await createRunningJob(app);
  const definition = sealDefinition(app.context(), job.pipelineId, buildJobDefinition({ coverage: pattern }));
  await app.context().query(sql`
    with d as (insert into job_definitions (project_id, pipeline_id, definition)
      values (${job.project.id}, ${job.pipelineId}, ${definition}) returning id)
    update jobs set definition_id = (select id from d) where id = ${job.id}`);
  await job.patch('0-', log);
  await job.end();
  await job.seal();
  return (await job.owner.get(job.path)).body.coverage;
}

// Contract: ci-job-logs.coverage
test('coverage is the last number in the last match of the pattern', async (t) => {
  t.is(await coverageOf('Coverage: \\d+\\.\\d+', 'Coverage: 10.5\nCoverage: 85.25 of 100\n'), 85.25);
  t.is(await coverageOf('(\\d+)% covered', 'a\n12% covered, 34% covered\nend'), 34);
  t.is(await coverageOf('total +(\\d+)%', 'total \u001b[32;1m7%\u001b[0m\ntotal  \u001b[32;1m91%\u001b[0m'), 91);
  t.is(await coverageOf('Coverage: \\d+', 'none here'), null);
  t.is(await coverageOf('^lines: \\d+', `2026-01-01T10:00:00.123456Z 00O lines: 42\n${'x'.repeat(900_000)}\n`), 42);
});

// Contract: ci-job-logs.coverage
test('the search for coverage ends, also in a log of nothing but line ends', async (t) => {
  const search = (lines: number) =>
    findCoverage(
      'Coverage: x{0,1000}(\\d+)',
      (async function* () {
        await Promise.resolve();
        yield Buffer.from('\n'.repeat(lines));
        yield Buffer.from('Coverage: 5\n');
      })(),
    );
  t.is(await search(1_000), 5);
  t.is(await search(500_000), null);
});

// Contract: ci-job-logs.coverage
test('a number that is none to programs is no coverage', async (t) => {
  t.is(await coverageOf('Coverage: \\d+', `Coverage: 7\nCoverage: ${'9'.repeat(400)}\n`), 7);
});

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { JobKind } from '../../../shared/core/context/jobs.js';
import { handler } from '../../../workers/core/handler.js';
import { JobCancelled } from '../../../workers/core/job-ends.js';
import { JobProcesses } from '../../../workers/instance/queue-jobs/job-processes.js';
import { runBatch } from '../../../workers/instance/queue-jobs/run-batch.js';
import { useApp } from '../../core/app.js';
import { inHandOf } from '../../core/handled.js';
import { eventually } from '../../core/processes.js';
import { longSample, shortSample } from './sample-jobs.js';
import type { SampleJob } from './sample-jobs.js';

// A process of its own: it starts processes, of which one fills its memory.

const app = useApp(test);

/** Processes for jobs, and a file that these write to. */
async function processes(t: ExecutionContext) {
  const folder = await mkdtemp(path.join(tmpdir(), 'capstan-isolated-'));
  const apart = new JobProcesses(new URL('./sample-process.js', import.meta.url), app.services.log, 64);
  t.teardown(async () => {
    apart.close();
    await rm(folder, { recursive: true, force: true });
  });
  const file = path.join(folder, 'begun');
  const begun = async () => (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  const ends: [SampleJob['what'], string][] = [];
  /** Does a job as a worker does. */
  const start = (what: SampleJob['what'], kind: JobKind<SampleJob> = longSample) => {
    const [job] = inHandOf([{ what, file }]);
    const declared = handler<SampleJob>({
      kind,
      batchSize: 1,
      handle: () => Promise.reject(new Error('It ran in the process of the worker.')),
      async onProcessExit(_ctx, payload, reason) {
        ends.push([payload.what, reason]);
      },
    });
    const done = runBatch(app.services, declared, [job!], apart);
    return { job: job!, done };
  };
  const run = async (what: SampleJob['what']) => {
    const { job, done } = start(what);
    await done;
    const { outcome, error } = job.attemptAt(0, 0);
    return { outcome, error: error && { name: error.error_class, message: error.message } };
  };
  return { start, run, begun, ends };
}

test('a job of an isolated kind runs in another process, and what it throws is the error of its attempt', async (t) => {
  const { run, begun, ends } = await processes(t);
  t.deepEqual(await run('write'), { outcome: 'completed', error: null });
  t.deepEqual(await run('throw'), { outcome: 'failed', error: { name: 'RangeError', message: 'There is none.' } });
  const pids = new Set((await begun()).map((line) => line.split(' ')[0]));
  t.is(pids.size, 1);
  t.false(pids.has(String(process.pid)));
  t.deepEqual(ends, []);
});

test('a process that dies fails its job with a reason, and the next job has another one', async (t) => {
  const { run, ends } = await processes(t);
  const memory = 'It took more memory than a job may.';
  t.deepEqual(await run('fill'), { outcome: 'failed', error: { name: 'JobProcessExited', message: memory } });
  t.like(await run('exit'), { outcome: 'failed', error: { message: 'Its process ended with code 7.' } });
  t.deepEqual(ends, [
    ['fill', memory],
    ['exit', 'Its process ended with code 7.'],
  ]);
  t.is((await run('write')).outcome, 'completed');
});

test('a job that is cancelled ends by its signal, with the reason; one that does not obey ends with its process', async (t) => {
  const { start, run, begun, ends } = await processes(t);
  for (const what of ['wait', 'spin'] as const) {
    const { job, done } = start(what);
    await eventually(async () => (await begun()).some((line) => line.endsWith(what)));
    job.end(new JobCancelled('Enough.'));
    await done;
    t.is(job.outcome, 'cancelled');
  }
  t.is((await run('write')).outcome, 'completed');
  t.deepEqual(ends, []);
});

test('long jobs leave a process for short ones, and wait for each other', async (t) => {
  const { start, begun } = await processes(t);
  const long = Array.from({ length: 5 }, () => start('wait'));
  const short = start('write', shortSample);
  await short.done;
  t.is(short.job.outcome, 'completed');
  await eventually(async () => (await begun()).filter((line) => line.endsWith('wait')).length === 3);
  const another = start('write', shortSample);
  await another.done;
  t.is((await begun()).filter((line) => line.endsWith('wait')).length, 3);
  for (const { job } of long) job.end(new JobCancelled('Enough.'));
  await Promise.all(long.map(({ done }) => done));
  t.deepEqual(new Set(long.map(({ job }) => job.outcome)), new Set(['cancelled']));
});

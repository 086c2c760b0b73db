import { once } from 'node:events';
import test from 'ava';
import { queueJob } from '../../../shared/core/context/jobs.js';
import type { Context } from '../../../shared/core/context/context.js';
import { eachOnce } from '../../../workers/core/each.js';
import { sql } from 'kysely';
import { whenCancelled, JobCancelled } from '../../../workers/core/job-ends.js';
import { handler } from '../../../workers/core/handler.js';
import { runBatch } from '../../../workers/instance/queue-jobs/run-batch.js';
import { useApp } from '../../core/app.js';
import { inHandOf } from '../../core/handled.js';

const app = useApp(test);
const kind = queueJob<{ n: number }>('test.batches');

const outcomes = (jobs: ReturnType<typeof inHandOf>) =>
  jobs.map(({ outcome, error }) => (error ? `${outcome}: ${(error as Error).message}` : outcome));

test('a job that fails fails alone, with its own error, and the others are done once', async (t) => {
  const done: number[] = [];
  const one = handler({
    kind,
    batchSize: 3,
    handle(_ctx, { n }) {
      if (n === 2) return Promise.reject(new Error('two'));
      done.push(n);
      return Promise.resolve();
    },
  });
  const jobs = inHandOf([{ n: 1 }, { n: 2 }, { n: 3 }]);
  await runBatch(app.services, one, jobs);
  t.deepEqual(outcomes(jobs), ['completed', 'failed: two', 'completed']);
  t.deepEqual(done, [1, 3]);
});

test('a handler of batches says which jobs failed; when it throws, all have', async (t) => {
  const together = handler({
    kind,
    batchSize: 3,
    handleBatch: (ctx, payloads) =>
      eachOnce(
        ctx,
        payloads,
        ({ n }) => n,
        (n) => (n === 2 ? Promise.reject(new Error('two')) : Promise.resolve()),
      ),
  });
  const jobs = inHandOf([{ n: 1 }, { n: 2 }, { n: 2 }, { n: 3 }]);
  await runBatch(app.services, together, jobs);
  t.deepEqual(outcomes(jobs), ['completed', 'failed: two', 'failed: two', 'completed']);
  const broken = handler({ kind, batchSize: 3, handleBatch: () => Promise.reject(new Error('all')) });
  const all = inHandOf([{ n: 1 }, { n: 2 }]);
  await runBatch(app.services, broken, all);
  t.deepEqual(outcomes(all), ['failed: all', 'failed: all']);
});

/** Resolves once the context's signal is aborted. */
async function untilAborted({ signal }: Context): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

test('a short job that is taken is lost, though nobody waited to hear of it', async (t) => {
  const controller = new AbortController();
  const jobs = inHandOf([{ n: 1 }], { signals: [controller.signal] });
  const one = handler({ kind, batchSize: 1, handle: () => Promise.resolve(controller.abort(new Error('gone'))) });
  await runBatch(app.services, one, jobs);
  t.is(jobs[0]?.outcome, 'lost');
});

test('a job that is taken or cancelled ends, also one that does not obey, and the others go on', async (t) => {
  const controller = new AbortController();
  const jobs = inHandOf([{ n: 1 }, { n: 2 }, { n: 3 }], { signals: [controller.signal], expireInSeconds: 2 });
  const reasons: unknown[] = [];
  const one = handler({
    kind,
    batchSize: 3,
    async handle(ctx: Context, { n }) {
      if (n === 1) controller.abort(new Error('no longer active'));
      if (n === 2) jobs[1]?.end(new JobCancelled('cancelled'));
      if (n === 3) return;
      await untilAborted(ctx);
      reasons.push((ctx.signal.reason as Error).name);
      if (n === 2) await new Promise<void>(() => undefined);
    },
  });
  await runBatch(app.services, one, jobs);
  t.deepEqual(
    jobs.map(({ outcome }) => outcome),
    ['lost', 'cancelled', 'completed'],
  );
  t.deepEqual(reasons, ['JobLost', 'JobCancelled']);
});

test('what a cancelled job leaves is put in order, with statements that its signal does not end', async (t) => {
  const rows: string[] = [];
  const one = handler({
    kind,
    batchSize: 1,
    handle: (ctx: Context, { n }) =>
      whenCancelled(
        ctx,
        () => {
          if (n === 1) jobs[0]?.end(new JobCancelled('cancelled'));
          return Promise.reject(new Error(`over ${n}`));
        },
        async (still) =>
          void rows.push(...(await still.query<{ is: string }>(sql`select 'given up' as "is"`)).map(String)),
      ),
  });
  const jobs = inHandOf([{ n: 1 }, { n: 2 }]);
  await runBatch(app.services, one, jobs);
  t.deepEqual(
    jobs.map(({ outcome }) => outcome),
    ['cancelled', 'failed'],
  );
  t.is(rows.length, 1);
});

test('a handler of batches is told once every job is ended', async (t) => {
  const ends = [new AbortController(), new AbortController()];
  const aborts: boolean[] = [];
  const together = handler({
    kind,
    batchSize: 2,
    async handleBatch(ctx: Context) {
      ends[0]?.abort(new Error('taken'));
      aborts.push(ctx.signal.aborted);
      ends[1]?.abort(new Error('taken'));
      await untilAborted(ctx);
      aborts.push(ctx.signal.aborted);
    },
  });
  const jobs = inHandOf([{ n: 1 }, { n: 2 }], { signals: ends.map(({ signal }) => signal) });
  await runBatch(app.services, together, jobs);
  t.deepEqual(aborts, [false, true]);
});

test('a job whose time is over fails, and what was done before it stays done', async (t) => {
  const one = handler({
    kind,
    batchSize: 2,
    handle: (_ctx, { n }) => (n === 1 ? Promise.resolve() : new Promise<void>(() => undefined)),
  });
  const jobs = inHandOf([{ n: 1 }, { n: 2 }, { n: 3 }], { expireInSeconds: 0.5 });
  await runBatch(app.services, one, jobs);
  const over = 'failed: The time of the job is over.';
  t.deepEqual(outcomes(jobs), ['completed', over, over]);
});

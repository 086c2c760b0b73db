import test from 'ava';
import { queueJob } from '../../../shared/core/context/jobs.js';
import type { JobKind } from '../../../shared/core/context/jobs.js';
import { sql } from 'kysely';
import { cancelJobs } from '../../../shared/instance/pg-boss/cancel-jobs.js';
import { attemptsOfJob } from '../../../shared/instance/pg-boss/job-attempt.finder.js';
import { storePause, queueControls, storeResume } from '../../../shared/instance/queues/pause-queue.js';
import { pruneJobs } from '../../../shared/instance/pg-boss/prune-jobs.js';
import { queueCounts } from '../../../shared/instance/pg-boss/queue-counter.finder.js';
import { queueWorkers } from '../../../shared/instance/pg-boss/queue-worker.finder.js';
import { handler } from '../../../workers/core/handler.js';
import type { HandlerOfOne } from '../../../workers/core/handler.js';
import { TestApp } from '../../core/app.js';
import { eventually } from '../../core/processes.js';
import { startWorker } from './workers.js';
import type { ExecutionContext } from 'ava';
import { queryOne } from '../../core/query-one.js';

interface Work {
  n: number;
}

/** An app of the test's own: workers see to all queues and workers of their database. */
async function started(t: ExecutionContext) {
  const app = new TestApp();
  await app.start();
  t.teardown(() => app.stop());
  const getState = async (kind: JobKind<Work>, id: string) =>
    (
      await queryOne<{ state: string }>(
        app.context(),
        sql`select j.state::text as "state" from pgboss.job j where j.name = ${kind.name} and j.id = ${id}::uuid`,
      )
    )?.state;
  const send = async (kind: JobKind<Work>, n: number) => {
    const ctx = app.context();
    return (await ctx.transaction(() => ctx.jobs.send(kind, { n }))) as string;
  };
  const signedIn = async () => {
    const user = await app.build.user();
    return app.build.contextOf(user);
  };
  return { app, stateOf: getState, send, signedIn };
}

const working = (kind: JobKind<Work>, handle: HandlerOfOne<Work>['handle'], batchSize = 5) =>
  handler<Work>({ kind, batchSize, handle });

test('of a batch through the real queue the bad job fails alone and is tried again, the others are done once', async (t) => {
  const { app, stateOf, send } = await started(t);
  const kind = queueJob<Work>('test.apart', { retryLimit: 1 });
  await app.services.boss.createQueue(kind.name, kind.queue);
  const ids = [await send(kind, 1), await send(kind, 2), await send(kind, 3)];
  const done: number[] = [];
  await startWorker(t, app, [
    working(kind, (_ctx, { n }) => {
      done.push(n);
      return n === 2 ? Promise.reject(new RangeError('two')) : Promise.resolve();
    }),
  ]);
  await eventually(async () => (await stateOf(kind, ids[1] as string)) === 'failed');
  t.is(await stateOf(kind, ids[0] as string), 'completed');
  t.is(await stateOf(kind, ids[2] as string), 'completed');
  t.deepEqual(done.toSorted(), [1, 2, 2, 3]);
  const attempts = await attemptsOfJob(app.context(), kind.name, ids[1] as string);
  t.deepEqual(
    attempts.map((one) => [one.attempt, one.outcome, one.error_class, one.message]),
    [1, 2].map((attempt) => [attempt, 'failed', 'RangeError', 'two']),
  );
  const output = await queryOne(
    app.context(),
    sql`select j.output as "output" from pgboss.job j where j.id = ${ids[1]}::uuid`,
  );
  t.like(output, { output: { error_class: 'RangeError', message: 'two' } });
  const counted = () => queueCounts(app.context());
  await eventually(async () => (await counted())[0]?.processed === 4);
  const counts = await counted();
  t.deepEqual(counts, [{ queue: kind.name, processed: 4, failed: 2 }]);
  // Attempts go with their jobs, counts stay.
  await app.context().query(sql`delete from pgboss.job j where j.id = ${ids[0]}::uuid`);
  t.deepEqual(await pruneJobs(app.context()), { attempts: 1, workers: 0 });
  t.deepEqual(await pruneJobs(app.context()), { attempts: 0, workers: 0 });
  t.deepEqual(await queueCounts(app.context()), counts);
});

test('a cancelled job sees its signal at once and is neither completed nor tried again; the rest of its batch goes on', async (t) => {
  const { app, stateOf, send } = await started(t);
  const kind = queueJob<Work>('test.cancel');
  await app.services.boss.createQueue(kind.name, kind.queue);
  const ids = [await send(kind, 1), await send(kind, 2)];
  const begun = Promise.withResolvers<void>();
  const done: number[] = [];
  await startWorker(t, app, [
    working(kind, async (ctx, { n }) => {
      if (n === 2) return void done.push(n);
      begun.resolve();
      await new Promise((_resolve, reject) =>
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error)),
      );
    }),
  ]);
  await begun.promise;
  const attempts = () => attemptsOfJob(app.context(), kind.name, ids[0] as string);
  // Recorded concurrently with the work, not before it.
  await eventually(async () => (await attempts()).length === 1);
  t.like((await attempts())[0], { attempt: 1, outcome: 'running', ended_at: null });
  const ctx = app.context();
  t.deepEqual(await ctx.transaction(() => cancelJobs(ctx, kind.name, [ids[0] as string])), [ids[0]]);
  await eventually(async () => (await stateOf(kind, ids[1] as string)) === 'completed');
  t.deepEqual(done, [2]);
  t.is(await stateOf(kind, ids[0] as string), 'cancelled');
  t.deepEqual(
    (await attempts()).map(({ outcome }) => outcome),
    ['cancelled'],
  );
});

// Contract: jobs-6.5
test('a paused queue is fetched from by no worker until it is resumed, also by one that starts', async (t) => {
  const { app, stateOf, send, signedIn } = await started(t);
  const kind = queueJob<Work>('test.pause');
  const other = queueJob<Work>('test.not_paused');
  const done: number[] = [];
  const note = (_ctx: unknown, { n }: Work) => Promise.resolve(void done.push(n));
  const handlers = [working(kind, note), working(other, note)];
  const [first, second] = [await startWorker(t, app, handlers), await startWorker(t, app, handlers)];
  const ctx = await signedIn();
  const change = async (how: typeof storePause, reason?: string) => ctx.transaction(() => how(ctx, kind.name, reason));
  await change(storePause, 'looking into it');
  const fetching = (boss: (typeof first)['boss']) =>
    boss.getWipData().some(({ name, state }) => name === kind.name && state === 'active');
  await eventually(() => Promise.resolve(![first, second].some(({ boss }) => fetching(boss))));
  const id = await send(kind, 1);
  const third = await startWorker(t, app, handlers);
  const passing = await send(other, 2);
  await eventually(async () => (await stateOf(other, passing)) === 'completed');
  t.is(await stateOf(kind, id), 'created');
  t.false(fetching(third.boss));
  t.like((await queueControls(ctx)).get(kind.name), {
    paused: true,
    changed_by: ctx.caller.user.username,
    reason: 'looking into it',
  });
  await change(storeResume);
  await change(storeResume);
  await eventually(async () => (await stateOf(kind, id)) === 'completed');
  t.deepEqual(done, [2, 1]);
});

test('workers are registered while they live, and one that lost only its connection keeps its jobs', async (t) => {
  const { app, stateOf, send } = await started(t);
  const kind = queueJob<Work>('test.connection');
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const runs: number[] = [];
  const held = working(kind, async (_ctx, { n }) => {
    runs.push(n);
    begun.resolve();
    await end.promise;
  });
  const first = await startWorker(t, app, [held]);
  const id = await send(kind, 1);
  await begun.promise;
  const second = await startWorker(t, app, [working(kind, (_ctx, { n }) => Promise.resolve(void runs.push(n)))]);
  const workers = await queueWorkers(app.context());
  t.deepEqual(
    workers.map((one) => [one.id, one.pid, one.stale, one.queues]),
    [first, second].map(({ running }) => [running.worker.id, process.pid, false, [kind.name]]),
  );
  // The session of the first worker is the one that holds its lock.
  const sessions = () =>
    app.context().query<{ pid: number }>(sql`
      select l.pid as "pid" from pg_locks l
       where l.locktype = 'advisory' and l.classid = 722651 and l.objid = ${first.running.worker.id}::oid and l.granted`);
  const [session] = await sessions();
  await app.context().query(sql`select pg_terminate_backend(${session?.pid as number}::int)`);
  const isBack = async () => (await sessions()).some(({ pid }) => pid !== session?.pid);
  await eventually(isBack);
  // The other worker has polled several times since.
  const before = performance.now();
  await eventually(() => Promise.resolve(performance.now() - before > 2_500));
  end.resolve();
  await eventually(async () => (await stateOf(kind, id)) === 'completed');
  t.deepEqual(runs, [1]);
  await second.stop();
  t.deepEqual(
    (await queueWorkers(app.context())).map((one) => [one.id, one.stale]),
    [[first.running.worker.id, false]],
  );
});

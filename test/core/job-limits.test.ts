import test from 'ava';
import type { PgBoss } from 'pg-boss';
import { ANONYMOUS } from '../../shared/core/callers.js';
import { Context } from '../../shared/core/context.js';
import { job } from '../../shared/core/jobs.js';
import { removeGroup } from '../../shared/tenancy/group-lifecycle/remove-group.js';
import { jobKindsOf } from '../../shared/core/domain.js';
import { domains } from '../../shared/domains.js';

const jobKinds = jobKindsOf(domains);
import { sql } from '../../shared/core/sql.js';
import { handlers } from '../../workers/domains.js';
import { each } from '../../workers/core/each.js';
import { handler } from '../../workers/core/handler.js';
import { subscribe } from '../../workers/core/work.js';
import { useApp } from './app.js';

const app = useApp(test);

test('every kind of job has a handler, a time limit, a limit of tries, and a sign of life', (t) => {
  const handled = new Set(handlers.map(({ kind }) => kind.name));
  for (const { name, queue } of jobKinds) {
    t.true(handled.has(name), name);
    const { expireInSeconds = 0, heartbeatSeconds = 0, retryLimit = Infinity } = queue;
    t.true(expireInSeconds > 0 && expireInSeconds <= 2 * 3600, name);
    t.true(heartbeatSeconds > 0 && heartbeatSeconds <= 60, name);
    t.true(retryLimit <= 10, name);
  }
  t.deepEqual(
    [...handled].filter((name) => !jobKinds.some((kind) => kind.name === name)),
    [],
  );
});

type Job = { id: string; data: object; signal: AbortSignal };

/** What the queue would call with jobs, for a handler that keeps its context. */
async function subscribed(handle: (ctx: Context) => Promise<void>): Promise<(jobs: Job[]) => Promise<void>> {
  let called: ((jobs: Job[]) => Promise<void>) | undefined;
  const boss = {
    work: (_name: string, _options: object, callback: typeof called) => {
      called = callback;
      return Promise.resolve('');
    },
  };
  const kind = job('test.limits');
  await subscribe(app.services, boss as unknown as PgBoss, handler({ kind, batchSize: 2, handle }));
  return (jobs) => called?.(jobs) ?? Promise.resolve();
}

test('a handler is told when the time of its jobs is over, or when each of them was taken by another', async (t) => {
  const ends = [new AbortController(), new AbortController()];
  const seen: boolean[] = [];
  const run = await subscribed((ctx) => {
    for (const end of ends) {
      end.abort(new Error('The time is over.'));
      seen.push(ctx.signal.aborted);
    }
    ctx.signal.throwIfAborted();
    return Promise.resolve();
  });
  const jobs = ends.map(({ signal }, index) => ({ id: String(index), data: {}, signal }));
  await t.throwsAsync(run(jobs), { message: 'The time is over.' });
  t.deepEqual(seen, [false, true]);
});

test('one job that fails holds no other of its batch up', async (t) => {
  const done: number[] = [];
  const work = (id: number) => {
    if (id === 1) return Promise.reject(new Error('one'));
    done.push(id);
    return Promise.resolve();
  };
  await t.throwsAsync(each(app.context(), [1, 2, 3], work), { message: 'one' });
  t.deepEqual(done, [2, 3]);
});

test('a long removal ends with the time of its job, and its next try goes on', async (t) => {
  const group = await app.build.group();
  await app.as(group.owner).post('/projects', { name: 'In it', namespace_id: group.id });
  const at = app.clock.now();
  await app.context().query(sql`
    update group_settings set marked_for_deletion_at = ${at} where namespace_id = ${group.id}`);
  const left = async () => (await app.context().query(sql`select id from namespaces where id = ${group.id}`)).length;
  const signal = AbortSignal.abort(new Error('The time is over.'));
  const over = new Context(app.services, ANONYMOUS, { requestId: 'over', ip: null, signal });
  await t.throwsAsync(removeGroup(over, group.id, at), { message: 'The time is over.' });
  t.is(await left(), 1);
  for (const _ of [1, 2]) await removeGroup(app.context(), group.id, at);
  t.is(await left(), 0);
});

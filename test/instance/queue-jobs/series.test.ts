import test from 'ava';
import { sql } from 'kysely';
import { RETENTION_DAYS, pruneSamples, sampleQueues } from '../../../shared/instance/pg-boss/queue-series.js';
import { useApp } from '../../core/app.js';
import { makeQueue, storeJobs } from './stored-jobs.js';

const app = useApp(test);

// Contract: jobs-5.stats, jobs-5.series
test.serial('samples make a series by the minute and by the hour', async (t) => {
  const admin = await app.build.admin();
  const queue = await makeQueue(app, 'test.series');
  const count = (processed: number, failed: number) =>
    app.services.db.query(sql`
      insert into queue_counters (queue, worker_id, processed, failed) values (${queue}, 1, ${processed}, ${failed})
      on conflict (queue, worker_id) do update set processed = excluded.processed, failed = excluded.failed`);
  const run = async () => {
    const ctx = app.context();
    return ctx.transaction(() => sampleQueues(ctx));
  };
  app.clock.set('2031-05-05T10:58:30Z');
  await count(10, 1);
  t.true((await run()) > 0);
  t.is(await run(), 0, 'a minute is noted once');
  app.clock.set('2031-05-05T10:59:10Z');
  await storeJobs(app, [{ queue }, { queue, state: 'failed' }]);
  await count(17, 3);
  await run();
  app.clock.set('2031-05-05T11:01:00Z');
  await count(20, 3);
  await run();
  t.like(
    ((await app.as(admin).get('/admin/jobs/series')).body as { queue: string }[]).find((one) => one.queue === queue),
    { completed: [0, 5, 3], failed: [0, 2, 0] },
  );
  const get = async (query: string) => (await app.as(admin).get(`/admin/jobs/queues/${queue}/stats?${query}`)).body;
  const minutes = (await get('')) as object[];
  t.is(minutes.length, 3);
  t.like(minutes[0], { at: '2031-05-05T10:58:00.000Z', ready: 0, completed_delta: 0 });
  t.like(minutes[1], { at: '2031-05-05T10:59:00.000Z', ready: 1, failed: 1, completed_delta: 5, failed_delta: 2 });
  t.like(minutes[2], { at: '2031-05-05T11:01:00.000Z', completed_delta: 3, failed_delta: 0 });
  const hours = (await get('resolution=hour')) as object[];
  t.is(hours.length, 2);
  t.like(hours[0], { at: '2031-05-05T10:00:00.000Z', ready: 1, failed: 1 });
  t.like(hours[1], { at: '2031-05-05T11:00:00.000Z', completed_delta: 3 });
  t.deepEqual(await get('from=2031-05-05T10:59:00Z&to=2031-05-05T11:00:00Z'), [
    { ...(minutes[1] as object), completed_delta: 0, failed_delta: 0 },
  ]);
  t.deepEqual(await get('from=2031-05-05T11:00:00Z&to=2031-05-05T11:00:00Z'), { error: 'from is not before to' });
  t.deepEqual(await get('from=2031-05-01&to=2031-05-05'), { error: 'from is more than a day before to' });
  app.clock.set(new Date(Date.parse('2031-05-05T11:00:30Z') + RETENTION_DAYS * 86_400_000).toISOString());
  const ctx = app.context();
  await ctx.transaction(() => pruneSamples(ctx));
  const left = await app.services.db.query(sql`select 1 from queue_samples s where s.queue = ${queue}`);
  t.is(left.length, 1);
});

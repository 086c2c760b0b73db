import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { makeQueue, getState, storeJobs } from './stored-jobs.js';

const app = useApp(test);
let admin: BuiltUser;

test.serial.before('who acts', async () => {
  admin = await app.build.admin();
});

const noted = async (event: string, about: string) =>
  (
    await app.services.db.query<{ message: string; author_id: number }>(sql`
      select e.message, e.author_id from audit_events e
       where e.event_name = ${event} and e.message like ${`%${about}%`} order by e.id`)
  ).map(({ message, author_id: id }) => (id === admin.id ? message : `not by the administrator: ${message}`));

// Contract: jobs-6.3, jobs-14.state
test('a failed job is retried, a waiting one cancelled and resumed, one that runs is not deleted', async (t) => {
  const queue = await makeQueue(app, 'test.act');
  const client = app.as(admin);
  const [failed, waiting, active, done] = (await storeJobs(app, [
    { queue, state: 'failed', retry_count: 2 },
    { queue },
    { queue, state: 'active' },
    { queue, state: 'completed' },
  ])) as [string, string, string, string];
  const post = (id: string, action: string) => client.request('POST', `/admin/jobs/${id}/${action}`);
  t.like(await post(failed, 'retry'), { status: 200, body: { id: failed, state: 'retry', retry_limit: 3 } });
  t.like(await post(waiting, 'cancel'), { status: 200, body: { state: 'cancelled', next_run_at: null } });
  t.like(await post(waiting, 'resume'), { status: 200, body: { state: 'created', completed_at: null } });
  t.like(await post(active, 'cancel'), { status: 200, body: { state: 'cancelled' } });
  t.like(await client.delete(`/admin/jobs/${done}`), { status: 204 });
  t.is(await getState(app, done), null);
  const [running] = await storeJobs(app, [{ queue, state: 'active' }]);
  t.like(await client.delete(`/admin/jobs/${running}`), {
    status: 409,
    body: { message: 'The job is active and cannot be deleted.' },
  });
  const wrong = [
    [running, 'retry'],
    [running, 'resume'],
    [waiting, 'retry'],
    [waiting, 'resume'],
  ] as const;
  for (const [id, action] of wrong) {
    const { status, body } = await post(id as string, action);
    t.is(status, 409, action);
    t.regex((body as { message: string }).message, /^The job is (active|waiting) and cannot be re(tried|sumed)\.$/);
  }
  for (const id of [done, 'no-id', '00000000-0000-0000-0000-000000000000'])
    t.like(await post(id, 'retry'), { status: 404, body: { message: '404 Job Not Found' } });
  t.deepEqual(await noted('queue_job_retry', failed), [`Retried job ${failed} of queue ${queue}`]);
  t.deepEqual(await noted('queue_job_cancel', active), [`Cancelled job ${active} of queue ${queue}`]);
  t.deepEqual(await noted('queue_job_delete', done), [`Deleted job ${done} of queue ${queue}`]);
  t.deepEqual(await noted('queue_job_retry', waiting), []);
});

test('where one job at a time waits for a key, a second is neither retried nor resumed', async (t) => {
  const queue = await makeQueue(app, 'test.exclusive', { policy: 'exclusive' });
  const [one, two, , other] = await storeJobs(app, [
    { queue, state: 'failed', singleton_key: 'a' },
    { queue, state: 'cancelled', singleton_key: 'a' },
    { queue, singleton_key: 'a' },
    { queue, state: 'failed', singleton_key: 'b' },
  ]);
  for (const [id, action] of [
    [one, 'retry'],
    [two, 'resume'],
  ])
    t.like(await app.as(admin).request('POST', `/admin/jobs/${id}/${action}`), { status: 409 });
  await storeJobs(app, [{ queue, state: 'failed', singleton_key: 'b' }]);
  const { body } = await app.as(admin).request('POST', '/admin/jobs/bulk', {
    action: 'retry',
    filter: { queue, state: 'failed' },
    expected_count: 3,
  });
  t.deepEqual(body, { matched: 3, affected: 1, skipped: 2, completed: true });
  t.true(['retry', 'failed'].includes((await getState(app, other as string)) as string));
});

// Contract: jobs-5.pause
test('a queue is paused and resumed with a reason, again without harm', async (t) => {
  const queue = await makeQueue(app, 'test.pause');
  const post = (action: string, body: object = {}) =>
    app.as(admin).request('POST', `/admin/jobs/queues/${queue}/${action}`, body);
  t.like((await post('resume')).body, { paused: false, pause: null });
  const first = await post('pause', { reason: 'too slow' });
  t.like(first, { status: 200, body: { paused: true } });
  t.like((first.body as { pause: object }).pause, { by: admin.username, reason: 'too slow' });
  t.like((await post('pause', { reason: 'again' })).body, { pause: (first.body as { pause: object }).pause });
  t.like((await post('resume')).body, { paused: false, pause: null });
  t.deepEqual(await noted('queue_paused', queue), [`Paused queue ${queue}: too slow`]);
  t.deepEqual(await noted('queue_resumed', queue), [`Resumed queue ${queue}`]);
  t.like(await post('pause', { reason: 'x'.repeat(1001) }), { status: 400, body: { error: 'reason is too long' } });
  t.is((await app.as(admin).request('POST', '/admin/jobs/queues/none/pause')).status, 404);
  const actions = (await app.as(admin).get('/admin/jobs/actions')).body as { event_name: string }[];
  t.true(actions.some(({ event_name: name }) => name === 'queue_paused'));
});

// Contract: jobs-5.run
test('a recurring job runs now, whatever its next time is', async (t) => {
  const path = '/admin/jobs/schedules/queue_jobs.sample/recurring/run';
  const { status, body } = await app.as(admin).request('POST', path);
  t.is(status, 202);
  const { job_id: id } = body as { job_id: string };
  t.like((await app.as(admin).get(`/admin/jobs/${id}`)).body, { queue: 'queue_jobs.sample', state: 'created' });
  await app.work();
  t.is(await getState(app, id), 'completed');
  t.is((await noted('queue_schedule_run', id)).length, 1);
  for (const wrong of ['queue_jobs.sample/other', 'none/recurring'])
    t.like(await app.as(admin).request('POST', `/admin/jobs/schedules/${wrong}/run`), { status: 404 });
});

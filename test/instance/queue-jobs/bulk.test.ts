import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { doBulk } from '../../../shared/instance/queue-bulks/do-bulk.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { makeQueue, getState, storeJobs } from './stored-jobs.js';

const app = useApp(test);
let admin: BuiltUser;

test.serial.before('who acts', async () => {
  admin = await app.build.admin();
});

const bulk = (body: object) => app.as(admin).request('POST', '/admin/jobs/bulk', body);

// Contract: jobs-5.bulk, jobs-14.bulk501
test('named jobs are acted on together, as far as their states allow', async (t) => {
  const queue = await makeQueue(app, 'test.bulk-ids');
  const ids = await storeJobs(app, [
    { queue, state: 'failed' },
    { queue, state: 'failed' },
    { queue, state: 'active' },
  ]);
  const requestedIds = [...ids, ids[0] as string, randomUUID()];
  t.deepEqual((await bulk({ action: 'retry', ids: requestedIds })).body, {
    matched: 3,
    affected: 2,
    skipped: 1,
    completed: true,
  });
  t.deepEqual(await Promise.all(ids.map((id) => getState(app, id))), ['retry', 'retry', 'active']);
  const many = Array.from({ length: 501 }, () => randomUUID());
  t.like(await bulk({ action: 'delete', ids: many }), { status: 400, body: { error: 'ids has more than 500 ids' } });
  t.like(await bulk({ action: 'delete', ids: many.slice(1) }), { status: 200, body: { matched: 0 } });
  const wrong: [object, string][] = [
    [{ action: 'delete' }, 'ids, filter are missing, at least one parameter must be provided'],
    [
      { action: 'delete', ids: many, filter: { queue } },
      'ids has more than 500 ids, ids, filter are mutually exclusive',
    ],
    [{ action: 'delete', ids: ['x'] }, 'ids is invalid'],
    [{ action: 'delete', filter: { queue } }, 'expected_count is missing'],
    [{ action: 'delete', filter: {}, expected_count: 1 }, 'filter is empty'],
    [{ action: 'delete', filter: { quue: queue }, expected_count: 1 }, 'filter is invalid'],
    [{ action: 'resume', ids: [] }, 'action does not have a valid value'],
  ];
  for (const [body, error] of wrong) t.like(await bulk(body), { status: 400, body: { error } });
});

// Contract: jobs-6.4, jobs-14.stale, jobs-14.nothing
test('what a filter finds is acted on only where it is about as much as the caller saw', async (t) => {
  const queue = await makeQueue(app, 'test.bulk-filter');
  const ids = await storeJobs(
    app,
    Array.from({ length: 20 }, (_none, index) => ({ queue, context: { user: index < 10 ? 'ann' : 'bob' } })),
  );
  const filter = { queue, user: 'ann' };
  for (const expected of [8, 12, 0, 1000])
    t.is((await bulk({ action: 'cancel', filter, expected_count: expected })).status, 409, String(expected));
  t.is(await getState(app, ids[0] as string), 'created');
  t.deepEqual((await bulk({ action: 'cancel', filter, expected_count: 11 })).body, {
    matched: 10,
    affected: 10,
    skipped: 0,
    completed: true,
  });
  t.is(await getState(app, ids[19] as string), 'created');
  const none = { action: 'delete', filter: { queue: 'no such queue' } };
  t.like(await bulk({ ...none, expected_count: 0 }), { status: 200, body: { matched: 0, completed: true } });
  t.is((await bulk({ ...none, expected_count: 1 })).status, 409);
  const [note] = await app.services.db.query<{ message: string }>(sql`
    select e.message from audit_events e where e.event_name = 'queue_jobs_bulk' and e.message like '%bulk-filter%'`);
  t.is(note?.message, `Cancelled 10 of 10 jobs of queue "${queue}" and user "ann"`);
});

// Contract: jobs-5.bulk-cancel
test('an action on many jobs that is cancelled does nothing more', async (t) => {
  const queue = await makeQueue(app, 'test.bulk-cancelled');
  await app.services.db.query(sql`
    insert into pgboss.job (name, state, policy, created_on, data)
    select ${queue}, 'created', 'standard', now() - interval '1 hour' + i * interval '1 ms', '{}'
      from generate_series(1, 2100) i`);
  const response = await bulk({ action: 'delete', filter: { queue }, expected_count: 2100 });
  const path = `/admin/jobs/bulk/${(response.body as { bulk_id: number }).bulk_id}`;
  const first = app.context();
  const { transaction } = first;
  // Cancelled while its first step is under way: that one is finished.
  let cancelling: Promise<{ status: number; body: unknown }> | undefined;
  first.transaction = async (work) => {
    const done = await transaction.call(first, async () => {
      const result = await work();
      cancelling ??= app.as(admin).request('POST', `${path}/cancel`);
      return result as never;
    });
    await cancelling;
    return done as never;
  };
  await doBulk(first, (response.body as { bulk_id: number }).bulk_id);
  const answer = await cancelling;
  t.is(answer?.status, 200);
  t.like(answer?.body, { completed: true, cancelled: true, matched: 2000, affected: 2000 });
  t.like((await app.as(admin).get(path)).body, { cancelled: true, matched: 2000 });
  t.like(await app.as(admin).request('POST', `${path}/cancel`), {
    status: 409,
    body: { message: 'The action is over and cannot be cancelled.' },
  });
  t.like((await app.as(admin).get(`/admin/jobs/count?queue=${queue}`)).body, { count: 100 });
  const [note] = await app.services.db.query<{ message: string }>(sql`
    select e.message from audit_events e where e.event_name = 'queue_jobs_bulk_cancelled'`);
  t.regex(note?.message ?? '', /^Ended bulk \d+ early: deleted 2000 of 2000 jobs by then$/);
});

// Contract: jobs-5.bulk
test('more than a request does are done by a job, in steps that another try goes on with', async (t) => {
  const queue = await makeQueue(app, 'test.bulk-many');
  await app.services.db.query(sql`
    insert into pgboss.job (name, state, policy, created_on, data)
    select ${queue}, case when i % 10 = 0 then 'active' else 'failed' end::pgboss.job_state, 'standard',
           now() - interval '1 hour' + (i / 10) * interval '1 ms', '{}' from generate_series(1, 4500) i`);
  const response = await bulk({ action: 'retry', filter: { queue }, expected_count: 4500 });
  t.is(response.status, 202);
  const { bulk_id: id } = response.body as { bulk_id: number };
  t.like((await app.as(admin).get(`/admin/jobs/bulk/${id}`)).body, {
    action: 'retry',
    filter: { queue },
    expected_count: 4500,
    matched: 0,
    completed: false,
    created_by: admin.username,
  });
  // Cut off after its first step, as by the end of a process.
  const controller = new AbortController();
  const first = app.context();
  first.origin.signal = controller.signal;
  const { transaction } = first;
  first.transaction = async (work) => {
    const result = await transaction.call(first, work);
    controller.abort(new Error('over'));
    return result as never;
  };
  await t.throwsAsync(doBulk(first, id), { message: 'over' });
  t.like((await app.as(admin).get(`/admin/jobs/bulk/${id}`)).body, { matched: 2000, completed: false });
  await storeJobs(app, [{ queue, state: 'failed' }]);
  await doBulk(app.context(), id);
  const progress = (await app.as(admin).get(`/admin/jobs/bulk/${id}`)).body;
  t.like(progress, { matched: 4500, affected: 4050, skipped: 450, completed: true });
  await doBulk(app.context(), id);
  t.deepEqual((await app.as(admin).get(`/admin/jobs/bulk/${id}`)).body, progress);
  t.is((await app.as(admin).get(`/admin/jobs/bulk/${id + 1000}`)).status, 404);
});

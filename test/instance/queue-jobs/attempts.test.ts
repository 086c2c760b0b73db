import { randomUUID } from 'node:crypto';
import test from 'ava';
import { getJobError, secretsIn } from '../../../shared/instance/pg-boss/job-error.js';
import { recordEnd, recordStart } from '../../../shared/instance/pg-boss/record-attempts.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { queryOne } from '../../core/query-one.js';

const app = useApp(test);

const attempts = (queue: string) =>
  app.context().query<Record<string, unknown>>(sql`
    select a.* from job_attempts a where a.queue = ${queue} order by a.started_at, a.attempt`);

test('attempts of a batch are written by one statement at its start and one at its end', async (t) => {
  const workerSlot = { worker_id: 7, worker: 'host:1', queue: 'test.attempts', slot: 0 };
  const [good, bad] = [randomUUID(), randomUUID()];
  const at = new Date('2030-01-01T00:00:00Z');
  const later = new Date('2030-01-01T00:00:02.500Z');
  const jobs = [
    { id: good, attempt: 1 },
    { id: bad, attempt: 3 },
  ];
  t.is(await app.statementsOf(() => recordStart(app.services.db, workerSlot, jobs, at)), 1);
  const running = await queryOne(
    app.context(),
    sql`select b.* from queue_batches b where b.queue = ${workerSlot.queue}`,
  );
  t.like(running, { worker_id: 7, job_ids: [good, bad], attempts: [1, 3], started_at: at, ended_at: null });
  const error = getJobError(new TypeError('broken'));
  const finishedAttempts = [
    { job_id: good, attempt: 1, started_at: at, ended_at: later, outcome: 'completed' as const, error: null },
    { job_id: bad, attempt: 3, started_at: later, ended_at: later, outcome: 'failed' as const, error },
  ];
  t.is(await app.statementsOf(() => recordEnd(app.services.db, workerSlot, finishedAttempts)), 1);
  const both = await attempts(workerSlot.queue);
  t.like(both[0], { job_id: good, attempt: 1, worker: 'host:1', outcome: 'completed', started_at: at, message: null });
  t.like(both[1], { job_id: bad, attempt: 3, outcome: 'failed', error_class: 'TypeError', message: 'broken' });
  t.regex(both[1]?.stack as string, /^TypeError: broken\n/);
  // A batch in the same slot reuses the row of the previous one; the counters continue.
  await recordStart(app.services.db, workerSlot, [{ id: good, attempt: 2 }], later);
  const again = {
    job_id: good,
    attempt: 2,
    started_at: at,
    ended_at: later,
    outcome: 'completed' as const,
    error: null,
  };
  await recordEnd(app.services.db, workerSlot, [again, { ...again, attempt: 4, started_at: later }]);
  t.like((await attempts(workerSlot.queue))[1], { attempt: 2, started_at: at, ended_at: later });
  const counted = await queryOne(
    app.context(),
    sql`
    select c.processed, c.failed from queue_counters c where c.queue = ${workerSlot.queue} and c.worker_id = 7`,
  );
  t.deepEqual(counted, { processed: 4, failed: 1 });
});

test('what is kept of an error is cut, and free of secrets', (t) => {
  const payload = { url: 'kept-in-view', options: { import_token: 'canary-in-payload' }, api_key: ['canary-in-list'] };
  const secrets = secretsIn(payload);
  t.deepEqual(secrets, ['canary-in-payload', 'canary-in-list']);
  const message = [
    'GET https://user:canary-in-url@example.com/kept-in-view',
    'Authorization: Bearer canary-in-header',
    'token=canary-in-query&x=1',
    'glpat-canaryCanaryCanaryCanary',
    'canary-in-payload canary-in-list',
    '\0\uD800',
  ].join(' ');
  const jobError = getJobError(new Error(message), secrets);
  t.notRegex(JSON.stringify(jobError), /canary|\\u0000/i);
  t.regex(jobError.message, /kept-in-view/);
  const long = getJobError(new Error('ä'.repeat(100_000)));
  t.true(Buffer.byteLength(long.message) <= 2048 && Buffer.byteLength(long.stack) <= 8192);
  t.true(long.message.length > 1000);
  t.like(getJobError('no error at all'), { error_class: 'Error', message: 'no error at all' });
});

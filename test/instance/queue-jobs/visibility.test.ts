import { randomUUID } from 'node:crypto';
import test from 'ava';
import { recordEnd } from '../../../shared/instance/pg-boss/record-attempts.js';
import { getJobError } from '../../../shared/instance/pg-boss/job-error.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { makeQueue, storeJobs } from './stored-jobs.js';

const app = useApp(test);
let admin: BuiltUser;

test.serial.before('who looks', async () => {
  admin = await app.build.admin();
});

// Contract: jobs-5.roles, core-1.auditor
test('administrators act, auditors only read, all others are refused', async (t) => {
  const fields = { email: 'a@example.com', name: 'A', username: 'auditing', force_random_password: true };
  const response = await app.as(admin).post('/users', { ...fields, auditor: true });
  t.like(response, { status: 201, body: { is_auditor: true, is_admin: false } });
  const other = await app.build.user();
  t.is((await app.as(other).put(`/users/${other.id}`, { auditor: true })).status, 403);
  t.like(await app.as(admin).put(`/users/${other.id}`, { auditor: true }), { body: { is_auditor: true } });
  t.is((await app.as(other).get('/admin/jobs/queues')).status, 200);
  t.like(await app.as(admin).put(`/users/${other.id}`, { auditor: false }), { body: { is_auditor: false } });
  t.false('is_auditor' in ((await app.as(other).get(`/users/${other.id}`)).body as object));

  const auditor = await app.build.user({ auditor: true });
  const [id] = await storeJobs(app, [{ queue: await makeQueue(app, 'test.roles'), state: 'failed' }]);
  const reads = [
    '',
    '/count',
    '/stats',
    '/series',
    '/queues',
    '/queues/test.roles',
    '/queues/test.roles/stats',
    '/processes',
    '/schedules',
    '/actions',
    '/events',
    `/${id}`,
  ];
  for (const path of reads) {
    t.is((await app.as(auditor).get(`/admin/jobs${path}`)).status, 200, path);
    t.is((await app.as(admin).get(`/admin/jobs${path}`)).status, 200, path);
    t.like(await app.as(other).get(`/admin/jobs${path}`), { status: 403, body: { message: '403 Forbidden' } }, path);
    t.like(await app.anonymous.get(`/admin/jobs${path}`), { status: 401 }, path);
  }
  const acts: [string, string, object?][] = [
    ['POST', `/${id}/retry`],
    ['POST', `/${id}/cancel`],
    ['POST', `/${id}/resume`],
    ['DELETE', `/${id}`],
    ['POST', '/bulk', { action: 'delete', ids: [id] }],
    ['POST', '/queues/test.roles/pause'],
    ['POST', '/queues/test.roles/resume'],
    ['POST', '/schedules/queue_jobs.tend/recurring/run'],
  ];
  for (const [method, path, body] of acts)
    for (const user of [auditor, other])
      t.like(
        await app.as(user).request(method, `/admin/jobs${path}`, body),
        { status: 403, body: { message: '403 Forbidden' } },
        path,
      );
});

const CANARY = 'canary-5d41402abc4b';

// Contract: jobs-6.7, jobs-14.secrets, jobs-14.cut
test('no secret shows in detail, list, events or errors, and long arguments are cut', async (t) => {
  const queue = await makeQueue(app, 'test.secrets');
  const data = {
    url: `https://u:${CANARY}-a@example.com/x`,
    import_token: `${CANARY}-b`,
    nested: { variables: [{ key: 'A', value: `${CANARY}-c` }], Password: { deep: `${CANARY}-d` } },
    inside: `before ${CANARY}-b after`,
    plain: 'in plain view',
    [`glpat-${CANARY}Canary`]: 1,
  };
  const output = { error_class: 'Error', message: `Bearer ${CANARY}-e and ${CANARY}-b`, stack: `at ${CANARY}-c` };
  const [id, big] = (await storeJobs(app, [
    { queue, state: 'failed', data, output, retry_count: 1 },
    { queue, data: { text: 'x'.repeat(1024 * 1024), token: CANARY, late: `${'y'.repeat(100)} ${CANARY}` } },
  ])) as [string, string];
  const at = new Date();
  await recordEnd(app.services.db, { worker_id: 1, worker: 'here:1', queue, slot: 0 }, [
    {
      job_id: id,
      attempt: 1,
      started_at: at,
      ended_at: at,
      outcome: 'failed',
      error: getJobError(new Error(`token=${CANARY}-f`), []),
    },
  ]);
  const detail = await app.as(admin).get(`/admin/jobs/${id}`);
  const job = detail.body as { args: typeof data; attempts: object[]; error: object };
  t.is(job.args.plain, 'in plain view');
  t.is(job.args.import_token, '[FILTERED]');
  t.like(job.attempts[0], { attempt: 1, worker: 'here:1', outcome: 'failed' });
  t.like(detail.body, { worker: 'here:1', args_truncated: false, error: { class: 'Error' }, next_run_at: null });
  const long = await app.as(admin).get(`/admin/jobs/${big}`);
  const { args, args_truncated: cut } = long.body as { args: string; args_truncated: boolean };
  t.true(cut && Buffer.byteLength(args) === 32 * 1024);
  await app.as(admin).post('/admin/jobs/queues/test.secrets/pause', { reason: `token=${CANARY}-g` });
  const texts = [
    detail,
    long,
    await app.as(admin).get(`/admin/jobs?queue=${queue}`),
    await app.as(admin).get('/admin/jobs/events'),
    await app.as(admin).get('/admin/jobs/actions'),
    await app.as(admin).get(`/admin/jobs?queue=${queue}&cursor=${CANARY}`),
  ].map(({ text }) => text);
  t.notRegex(texts.join('\n'), /canary-5d41402abc4b(?!&)/);
});

// Contract: jobs-5.error
test('jobs are found by the errors of their attempts', async (t) => {
  const queue = await makeQueue(app, 'test.errors');
  const [one, two] = (await storeJobs(app, [
    { queue, state: 'failed' },
    { queue, state: 'completed' },
  ])) as [string, string];
  const at = new Date();
  const failed = (id: string, error: Error) => ({
    job_id: id,
    attempt: 1,
    started_at: at,
    ended_at: at,
    outcome: 'failed' as const,
    error: getJobError(error),
  });
  await recordEnd(app.services.db, { worker_id: 1, worker: 'here:1', queue, slot: 0 }, [
    failed(one, new TypeError('100% of the disk is full')),
    failed(two, new RangeError('out of reach')),
  ]);
  const found = async (query: string) =>
    ((await app.as(admin).get(`/admin/jobs?${query}`)).body as { id: string }[]).map(({ id }) => id);
  t.deepEqual(await found('error=DISK is'), [one]);
  t.deepEqual(await found('error=typeerror'), [one]);
  t.deepEqual(await found('error=RangeError: out&state=completed'), [two]);
  t.deepEqual(await found('error=0%25 of'), [one]);
  t.deepEqual(await found('error=_00%25 of'), []);
  t.deepEqual(await found(`error=disk is&search=${two}`), []);
  t.like(await app.as(admin).get('/admin/jobs?error=ab'), { status: 400, body: { error: 'error is too short' } });
});

test('jobs with a common error are found page by page, each once, however often it failed', async (t) => {
  const queue = await makeQueue(app, 'test.error-pages');
  const at = new Date('2020-07-01T00:00:00Z');
  const sent = { queue, state: 'failed', created_on: at };
  // Two were sent at the same instant.
  const jobs = await storeJobs(app, [sent, sent, { queue, state: 'failed' }, { queue, state: 'active' }]);
  const workerSlot = { worker_id: 2, worker: 'here:2', queue, slot: 0 };
  for (const attempt of [1, 2])
    await recordEnd(
      app.services.db,
      workerSlot,
      jobs.map((id) => ({
        job_id: id,
        attempt,
        started_at: at,
        ended_at: at,
        outcome: 'failed' as const,
        error: getJobError(new Error('the same for all of them')),
      })),
    );
  const path = '/admin/jobs?error=same for all&state=failed&pagination=keyset&per_page=1';
  const walks: string[][] = [];
  for (const sort of ['asc', 'desc']) {
    const walked: string[] = [];
    for (let next: string | undefined = `${path}&sort=${sort}`; next !== undefined && walked.length < 9;) {
      const answer = await app.as(admin).get(next);
      walked.push(...(answer.body as { id: string }[]).map(({ id }) => id));
      const [, url] = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '') ?? [];
      next = url?.slice(url.indexOf('/admin/jobs'));
    }
    walks.push(walked);
  }
  const [forwards, backwards] = walks as [string[], string[]];
  t.deepEqual(forwards, [...jobs.slice(0, 2).toSorted(), jobs[2]]);
  t.deepEqual(backwards, forwards.toReversed());
  const within = async (times: string) => (await app.as(admin).get(`${path}&per_page=9&${times}`)).body as object[];
  t.is((await within('created_before=2020-07-02')).length, 2);
  t.is((await within('created_after=2020-07-02')).length, 1);
  t.is((await within('queue=another')).length, 0);
  t.like(await app.as(admin).get('/admin/jobs/count?error=same for all'), { body: { count: 4 } });
});

// Contract: jobs-14.bad
test('filters that cannot be read are 400, each by its name', async (t) => {
  for (const [query, error] of [
    ['state=gone', 'state does not have a valid value'],
    ['created_after=yesterday', 'created_after is invalid'],
    ['cursor=x', 'cursor is invalid'],
    [`cursor=${Buffer.from('{"created_at":"2030-01-01","id":"x"}').toString('base64url')}`, 'cursor is invalid'],
    ['sort=up', 'sort does not have a valid value'],
    [`user=${'x'.repeat(256)}`, 'user is too long'],
  ] as const) {
    const { status, body } = await app.as(admin).get(`/admin/jobs?${query}`);
    t.like({ status, body }, { status: 400, body: { error } }, query);
  }
  t.is((await app.as(admin).get(`/admin/jobs/${randomUUID()}`)).status, 404);
  t.is((await app.as(admin).get('/admin/jobs?page=1000')).status, 405);
});

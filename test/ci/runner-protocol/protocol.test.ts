import { connect } from 'node:net';
import test from 'ava';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { getHeldPolls } from '../../../shared/ci/job-handouts/held-polls.js';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import type { Client } from '../../core/client.js';
import { payloadSchema } from './payload-schema.js';
import { protocolSteps } from './protocol-steps.js';
import type { TestJob, TestRunner } from './protocol-steps.js';

const app = useApp(test);
const steps = protocolSteps(app);

const TWO_PHASES = { features: { two_phase_job_commit: true, cancel_gracefully: true, return_exit_code: true } };
const ONE_PHASE = { features: { cancel_gracefully: true, return_exit_code: true } };

const requestJob = ({ token }: TestRunner, params: object = {}, client: Client = app.anonymous) =>
  client.post('/jobs/request', { token, system_id: 's_1', info: ONE_PHASE, ...params });

/** A job in the hands of a runner, by a request. */
async function takeJob(params: object = {}) {
  const project = await app.build.project();
  const tags = [`own-${unique()}`];
  const runner = await steps.createRunner({ tag_list: tags, run_untagged: false });
  const job = await steps.createJob(project, { definition: { tags } });
  const { status, body } = await requestJob(runner, params);
  if (status !== 201) throw new Error(`No job: ${status}`);
  const token = (body as { token: string }).token;
  const update = (state: string, more: object = {}) =>
    app.anonymous.put(`/jobs/${job.id}`, { token, state, info: ONE_PHASE, ...more });
  return { project, runner, job, token, update };
}

/** Looks again and again, for as long as a test may take. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

const isQueued = async (id: number) =>
  (await app.context().query(sql`select 1 from ci_queue where job_id = ${id}`)).length > 0;

/** Until another transaction waits for a table. */
const untilWaiting = () =>
  until(async () => (await app.context().query(sql`select 1 from pg_locks where not granted`)).length > 0);

const setStatus = (id: number, status: string) =>
  app.context().query(sql`update jobs set status = ${status} where id = ${id}`);

// Contract: ci-runner-protocol.request
test.serial('a runner that asks gets a job, then nothing, each with the headers that it expects', async (t) => {
  const project = await app.build.project();
  const runner = await steps.createRunner();
  const job = await steps.createJob(project);
  const { status, body, headers } = await requestJob(runner);
  t.is(status, 201);
  t.is(headers.get('content-type'), 'application/json');
  t.is(payloadSchema.parse(body).id, job.id);
  t.like(await steps.getJob(job.id), { status: 'running' });
  const nothing = await requestJob(runner);
  t.is(nothing.status, 204);
  t.truthy(nothing.headers.get('x-gitlab-last-update'));
});

// Contract: ci-runner-protocol.request, ci-runner-protocol.tokens
test.serial('vector 47: an unknown token is 403, a paused runner is 204; the token may come as a header', async (t) => {
  for (const token of ['glrt-unknown', '', 'x'.repeat(300)])
    t.is((await requestJob({ id: 0, token })).status, 403, token);
  t.is((await app.anonymous.post('/jobs/request', {})).status, 400);
  const paused = await steps.createRunner({ paused: true });
  const job = await steps.createJob(await app.build.project());
  t.is((await requestJob(paused)).status, 204);
  const runner = await steps.createRunner();
  const client = app.withHeaders({ 'RUNNER-TOKEN': runner.token });
  t.is((await client.post('/jobs/request', { system_id: 's', unknown: { a: 1 }, session: { url: 'x' } })).status, 201);
  t.like(await steps.getJob(job.id), { status: 'running' });
});

// Contract: ci-runner-protocol.request
test.serial('vectors 44, 45 and 46: which jobs a runner gets', async (t) => {
  const project = await app.build.project();
  const tagged = await steps.createJob(project, { definition: { tags: ['a', 'b'] } });
  const status = async (columns: Parameters<typeof steps.createRunner>[0]) =>
    (await requestJob(await steps.createRunner(columns))).status;
  t.is(await status({ tag_list: ['a'] }), 204);
  t.is(await status({ tag_list: ['a', 'b', 'c'] }), 201);
  t.like(await steps.getJob(tagged.id), { status: 'running' });
  await steps.createJob(project);
  t.is(await status({ tag_list: ['a'], run_untagged: false }), 204);
  t.is(await status({ access_level: 'ref_protected' }), 204);
  t.is(await status({}), 201);
});

// Contract: ci-runner-protocol.request
test.serial('a runner of projects that are gone is 422, and forms work like JSON', async (t) => {
  const runner = await steps.createRunner({ runner_type: 'project_type' });
  const form = (body: string) =>
    app.anonymous.raw('POST', '/api/v4/jobs/request', body, 'application/x-www-form-urlencoded');
  t.is((await form(`token=${runner.token}`)).status, 422);
  const project = await app.build.project();
  const now = app.clock.now();
  await app.context().query(sql`
    insert into runner_projects (runner_id, project_id, created_at) values (${runner.id}, ${project.id}, ${now})`);
  t.is((await form(`token=${runner.token}&system_id=s`)).status, 204);
  await steps.createJob(project);
  t.is((await form(`token=${runner.token}&system_id=s&info[name]=x`)).status, 201);
});

// Contract: ci-runner-protocol.request, ci-runner-protocol.data-integrity
test.serial('a job that cannot be described fails, and the runner gets the next one', async (t) => {
  const project = await app.build.project();
  const runner = await steps.createRunner();
  const broken = await steps.createJob(project);
  await app.context().query(sql`
    insert into pipeline_variables (project_id, pipeline_id, key, value, variable_type, raw)
    values (${project.id}, ${broken.pipeline_id}, 'K', '\\x01'::bytea, 'env_var', false)`);
  const next = await steps.createJob(project);
  const { status, body } = await requestJob(runner);
  t.is(status, 201);
  t.is((body as { id: number }).id, next.id);
  t.like(await steps.getJob(broken.id), { status: 'failed', failure_reason: 'data_integrity_failure' });
});

// Contract: ci-runner-protocol.request, ci-runner-protocol.data-integrity
test.serial('a job that is too large to be sent fails, and holds no other back', async (t) => {
  const runner = await steps.createRunner();
  const { keys } = app.services;
  const insert = (job: TestJob, value: RawBuilder<unknown>) => sql`
    insert into pipeline_variables (project_id, pipeline_id, key, value, variable_type, raw)
    select project_id, id, 'K', ${value}, 'env_var', false from pipelines where id = ${job.pipeline_id}`;
  const sizes: ((job: TestJob) => RawBuilder<unknown>)[] = [
    // What is read of it is too much; then its text, in which each of these is six characters.
    () => sql`decode(repeat('00', ${17 * 1024 * 1024}::int), 'hex')`,
    (job) => sql`${keys.encrypt('\u0001'.repeat(3 * 1024 * 1024), `pipeline_variables:${job.pipeline_id}:K`)}::bytea`,
  ];
  for (const size of sizes) {
    const project = await app.build.project();
    const large = await steps.createJob(project);
    await app.context().query(insert(large, size(large)));
    const next = await steps.createJob(project);
    t.is((await requestJob(runner)).status, 409);
    t.like(await steps.getJob(large.id), { status: 'failed', failure_reason: 'data_integrity_failure' });
    const { status, body } = await requestJob(runner);
    t.deepEqual([status, (body as { id: number }).id], [201, next.id]);
  }
});

// Contract: ci-runner-protocol.request
test.serial('a request that brings the last value is held, and answered as soon as there is a job', async (t) => {
  const project = await app.build.project();
  const runner = await steps.createRunner({ tag_list: ['held'], run_untagged: false });
  const first = await requestJob(runner);
  t.is(first.status, 204);
  const held = requestJob(runner, { last_update: first.headers.get('x-gitlab-last-update') });
  await until(() => Promise.resolve(getHeldPolls(app.services).size > 0));
  const job = await steps.createJob(project, { definition: { tags: ['held'] } });
  const { status, body } = await held;
  t.is(status, 201);
  t.is((body as { id: number }).id, job.id);
  t.is((await requestJob(runner, { last_update: 'of another process' })).status, 204);
});

// Contract: ci-runner-protocol.take-back
test.serial('a job is queued again when its runner is gone before the first byte of the answer', async (t) => {
  const project = await app.build.project();
  const runner = await steps.createRunner();
  const job = await steps.createJob(project);
  const body = JSON.stringify({ token: runner.token, system_id: 's_1', info: ONE_PHASE });
  // The hand-out waits for the row of the queue; until then the client leaves.
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const lock = app.context();
  await lock.transaction(async () => {
    await lock.query(sql`lock table job_runs in exclusive mode`);
    socket.write(
      `POST /api/v4/jobs/request HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await untilWaiting();
    socket.destroy();
  });
  await until(async () => (await steps.getJob(job.id)).status === 'pending' && (await isQueued(job.id)));
  await until(async () => (await requestJob(runner)).status === 201);
  t.like(await steps.getJob(job.id), { status: 'running' });
});

// Contract: ci-runner-protocol.update
test.serial('a job runs as long as its runner says so, and ends as it says', async (t) => {
  const { job, update } = await takeJob();
  const alive = await update('running');
  t.deepEqual([alive.status, alive.text], [200, '200']);
  t.is(alive.headers.get('job-status'), 'running');
  t.is(alive.headers.get('x-gitlab-trace-update-interval'), '3');
  app.clock.advance('2 minutes');
  t.is((await update('running')).headers.get('x-gitlab-trace-update-interval'), '60');
  t.is((await update('pending')).status, 409);
  t.is((await update('unknown')).status, 400);
  const done = await update('success', { exit_code: 0 });
  t.is(done.status, 200);
  t.is(done.headers.get('job-status'), 'success');
  t.like(await steps.getJob(job.id), { status: 'success', failure_reason: null });
  const again = await update('failed');
  t.is(again.status, 403);
  t.is(again.headers.get('job-status'), 'success');
  t.like(await steps.getJob(job.id), { status: 'success' });
});

// Contract: ci-runner-protocol.update
test.serial('a failed job keeps a reason that runners may name, and its exit code', async (t) => {
  for (const [sent, stored] of [
    ['script_failure', 'script_failure'],
    ['runner_system_failure', 'runner_system_failure'],
    ['stuck_pending_no_matching_runners', 'unknown_failure'],
    [undefined, 'unknown_failure'],
    ['x'.repeat(10_000), 'unknown_failure'],
  ] as const) {
    const { job, update } = await takeJob();
    t.is((await update('failed', { failure_reason: sent, exit_code: 137 })).status, 200);
    t.deepEqual(await steps.getJob(job.id), { status: 'failed', failure_reason: stored, exit_code: 137 });
  }
  const { job, update } = await takeJob();
  t.is((await update('failed', { exit_code: 3_221_225_477 })).status, 200);
  t.is((await steps.getJob(job.id)).exit_code, 2 ** 31 - 1);
});

// Contract: ci-runner-protocol.acknowledge
test.serial('a runner that acknowledges has a job only once it says so', async (t) => {
  const { job, update } = await takeJob({ info: TWO_PHASES });
  t.like(await steps.getJob(job.id), { status: 'pending' });
  t.is((await update('success')).status, 400);
  t.is((await update('failed')).status, 400);
  const waits = await update('pending');
  t.is(waits.status, 200);
  t.is(waits.headers.get('job-status'), 'pending');
  const begun = await update('running');
  t.is(begun.status, 200);
  t.is(begun.headers.get('job-status'), 'running');
  t.like(await steps.getJob(job.id), { status: 'running' });
  t.is((await update('pending')).status, 409);
  t.is((await update('success')).status, 200);
});

// Contract: ci-runner-protocol.acknowledge
test.serial('a runner that does not acknowledge, or may not, has the job at once', async (t) => {
  t.is((await (await takeJob()).update('running')).status, 200);
  await app.set({ ci_two_phase_job_commit: false });
  const { job, update } = await takeJob({ info: TWO_PHASES });
  t.like(await steps.getJob(job.id), { status: 'running' });
  t.is((await update('running')).status, 200);
  await app.set({ ci_two_phase_job_commit: true });
});

// Contract: ci-runner-protocol.cancel
test.serial(
  'vector 52: a runner learns of a cancel with the next answer, and whatever it reports is a cancel',
  async (t) => {
    for (const state of ['success', 'failed']) {
      const { job, update } = await takeJob();
      await setStatus(job.id, 'canceling');
      t.is((await update('running')).headers.get('job-status'), 'canceling');
      const done = await update(state, { failure_reason: 'script_failure' });
      t.is(done.status, 200);
      t.is(done.headers.get('job-status'), 'canceled');
      t.like(await steps.getJob(job.id), { status: 'canceled', failure_reason: null });
    }
  },
);

// Contract: ci-runner-protocol.update
test.serial(
  'vector 51: a success with another checksum is 412 twice, with a shorter log 202 for five minutes',
  async (t) => {
    const { job, update } = await takeJob();
    const output = { checksum: 'crc32:00000001', bytesize: 0 };
    t.is((await update('success', { output })).status, 412);
    t.is((await update('success', { output })).status, 412);
    t.like(await steps.getJob(job.id), { status: 'running' });
    t.is((await update('success', { output })).status, 200);
    t.like(await steps.getJob(job.id), { status: 'success' });

    const other = await takeJob();
    const longer = { checksum: 'crc32:00000001', bytesize: 10 };
    t.is((await other.update('success', { output: longer })).status, 202);
    app.clock.advance('301 seconds');
    t.is((await other.update('success', { output: longer })).status, 200);
    t.like(await steps.getJob(other.job.id), { status: 'success' });
  },
);

// Contract: ci-runner-protocol.update
test.serial('the end of a job locks the job before its log, as patches do', async (t) => {
  const { job, token, update } = await takeJob();
  const range = { 'JOB-TOKEN': token, 'Content-Range': '0-1' };
  const patched = await app.withHeaders(range).raw('PATCH', `/api/v4/jobs/${job.id}/trace`, 'ab', 'text/plain');
  t.is(patched.status, 202);
  const ctx = app.context();
  let ended: ReturnType<typeof update> | undefined;
  await ctx.transaction(async () => {
    await ctx.query(sql`select 1 from jobs where id = ${job.id} for no key update`);
    ended = update('success', { output: { checksum: 'crc32:00000001', bytesize: 2 } });
    await untilWaiting();
    const log = await ctx.query(sql`select 1 from job_logs where job_id = ${job.id} for no key update nowait`);
    t.is(log.length, 1);
  });
  t.is((await ended)?.status, 412);
});

// Contract: ci-runner-protocol.tokens
test.serial("a token that is wrong, or another job's, is 403 and tells nothing; it may come as a header", async (t) => {
  const one = await takeJob();
  const other = await takeJob();
  for (const token of [other.token, 'cjt-unknown', '']) {
    const { status, headers } = await app.anonymous.put(`/jobs/${one.job.id}`, { token, state: 'success' });
    t.is(status, 403);
    t.is(headers.get('job-status'), null);
  }
  t.is((await app.anonymous.put('/jobs/999999999', { token: one.token, state: 'success' })).status, 403);
  t.like(await steps.getJob(one.job.id), { status: 'running' });
  const client = app.withHeaders({ 'JOB-TOKEN': one.token });
  t.is((await client.put(`/jobs/${one.job.id}`, { state: 'success' })).status, 200);
});

// Contract: ci-runner-protocol.own-job
test.serial('the token of a job reads its job while it runs, and nothing else of the API', async (t) => {
  const { job, token, update, project } = await takeJob();
  const client = app.withHeaders({ 'JOB-TOKEN': token });
  const { status, body } = await client.get('/job');
  t.is(status, 200);
  t.like(body, { id: job.id, name: 'hi', status: 'running' });
  t.is((await app.anonymous.get(`/job?job_token=${token}`)).status, 200);
  t.is((await client.get('/user')).status, 401);
  t.is((await client.get(`/projects/${project.id}`)).status, 404);
  t.is((await client.get(`/projects/${project.id}/variables`)).status, 401);
  for (const header of ['PRIVATE-TOKEN', 'RUNNER-TOKEN'])
    t.is((await app.withHeaders({ [header]: token }).get('/job')).status, 401, header);
  t.is((await app.withHeaders({ Authorization: `Bearer ${token}` }).get('/user')).status, 401);
  await update('success');
  t.is((await client.get('/job')).status, 401);
  t.is((await app.anonymous.get('/job')).status, 401);
});

// Contract: ci-runner-protocol.limits
test.serial('a runner that asks too often is told when to ask again, in whole seconds', async (t) => {
  await app.set({ runner_jobs_request_api_limit: 2, runner_jobs_endpoints_api_limit: 2 });
  const { update } = await takeJob();
  t.is((await update('running')).status, 200);
  t.is((await update('running')).status, 200);
  const refused = await update('running');
  t.is(refused.status, 429);
  t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/);
  t.false(Number.isNaN(Date.parse(refused.headers.get('ratelimit-resettime') ?? '')));
  const tagged = { tag_list: ['none'], run_untagged: false };
  const runner = await steps.createRunner(tagged);
  for (const expected of [204, 204, 429]) t.is((await requestJob(runner)).status, expected);
  t.is((await requestJob(await steps.createRunner(tagged))).status, 204);
  await app.set({ runner_jobs_request_api_limit: 0, runner_jobs_endpoints_api_limit: 0 });
});

// Contract: ci-runner-protocol.contact
test.serial('an update counts as a contact', async (t) => {
  const { job, update } = await takeJob();
  app.clock.advance('1 minute');
  await update('running');
  const [run] = await app
    .context()
    .query<{ contacted_at: Date }>(sql`select contacted_at from job_runs where job_id = ${job.id}`);
  t.deepEqual(run?.contacted_at, app.clock.now());
});

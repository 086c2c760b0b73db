import test from 'ava';
import { sql } from 'kysely';
import { findNextRequeue, requeueUnacknowledged } from '../../../shared/ci/job-handouts/put-back-jobs.js';
import { tendRunnerJobs } from '../../../shared/ci/job-tending/tend-jobs.js';
import { UptimeBeat } from '../../../shared/ci/uptimes/uptime-beat.js';
import { noteUptime } from '../../../shared/ci/uptimes/uptimes.js';
import { useApp } from '../../core/app.js';
import { protocolSteps } from '../runner-protocol/protocol-steps.js';
import { serveFor } from './queue-steps.js';

const app = useApp(test);
const { createJob, createRunner, getJob } = protocolSteps(app);

const NOTHING = { requeued: 0, stuck: 0, silent: 0, repaired: 0, managers: 0 };
const DAY_S = 86_400;

const tend = () => tendRunnerJobs(app.context());

/** An API process is there again. */
const comeBack = () => noteUptime(app.services.db, app.clock.now());

test.beforeEach(async () => {
  for (const table of ['pipelines', 'runners', 'instance_uptimes'])
    await app.context().query(sql`delete from ${sql.table(table)}`);
});

const ask = (token: string, features: object = {}) =>
  app.anonymous.post('/jobs/request', { token, system_id: 's_1', info: { features } });

/** A job in the hands of a runner. */
async function takeJob({ features = {}, timeout = DAY_S }: { features?: object; timeout?: number } = {}) {
  const runner = await createRunner();
  const job = await createJob(await app.build.project(), { definition: { timeout } });
  const { status, body } = await ask(runner.token, features);
  if (status !== 201) throw new Error(`No job: ${status}`);
  const { token } = body as { token: string };
  return { job, runner, report: (state: string) => app.anonymous.put(`/jobs/${job.id}`, { token, state }) };
}

// Contract: ci-job-queue.outage
test.serial('a job goes on whose runner could not report during an outage', async (t) => {
  const { job, report } = await takeJob();
  await serveFor(app, '5 minutes');
  app.clock.advance('3 hours');
  // Workers may be there before any API process is.
  t.deepEqual(await tend(), NOTHING);
  await comeBack();
  t.deepEqual(await tend(), NOTHING);
  await serveFor(app, '9 minutes');
  t.deepEqual(await tend(), NOTHING);
  t.is((await report('running')).status, 200);
  await serveFor(app, '9 minutes');
  t.deepEqual(await tend(), NOTHING);
  t.like(await getJob(job.id), { status: 'running' });
});

// Contract: ci-job-queue.outage
test.serial('a job whose runner stays silent after an outage fails, after a whole period', async (t) => {
  const { job } = await takeJob();
  await serveFor(app, '9 minutes');
  app.clock.advance('1 hour');
  await serveFor(app, '9 minutes');
  t.deepEqual(await tend(), NOTHING);
  await serveFor(app, '1 minute');
  t.deepEqual(await tend(), { ...NOTHING, silent: 1 });
  t.like(await getJob(job.id), { status: 'failed', failure_reason: 'no_updates_running' });
});

// Contract: ci-job-queue.outage
test.serial('nothing is silent while workers run and no API process does', async (t) => {
  const { job } = await takeJob();
  await serveFor(app, '1 minute');
  for (let minute = 0; minute < 20; minute += 1) {
    app.clock.advance('1 minute');
    t.deepEqual(await tend(), NOTHING);
  }
  t.like(await getJob(job.id), { status: 'running' });
});

// Contract: ci-job-queue.outage
test.serial('a process that starts again within half a minute is no outage', async (t) => {
  const { job } = await takeJob();
  await serveFor(app, '5 minutes');
  app.clock.advance('29 seconds');
  await serveFor(app, '5 minutes');
  t.deepEqual(await tend(), { ...NOTHING, silent: 1 });
  t.like(await getJob(job.id), { failure_reason: 'no_updates_running' });
});

// Contract: ci-job-queue.outage
test.serial('a job that ran into its timeout during an outage can still be reported', async (t) => {
  const { job, report } = await takeJob({ timeout: 600 });
  await serveFor(app, '9 minutes');
  app.clock.advance('2 hours');
  await serveFor(app, '5 minutes');
  t.deepEqual(await tend(), NOTHING);
  t.is((await report('success')).status, 200);
  t.like(await getJob(job.id), { status: 'success' });
});

// Contract: ci-job-queue.outage
test.serial('a runner that could not acknowledge a job during an outage may do so after it', async (t) => {
  const features = { two_phase_job_commit: true };
  const { job, report } = await takeJob({ features });
  await serveFor(app, '1 second');
  app.clock.advance('5 minutes');
  t.is(await requeueUnacknowledged(app.context()), 0);
  await comeBack();
  t.is(await requeueUnacknowledged(app.context()), 0);
  const due = new Date(app.clock.now().getTime() + 9000);
  t.deepEqual(await findNextRequeue(app.context()), due);
  await serveFor(app, '8 seconds');
  t.is(await requeueUnacknowledged(app.context()), 0);
  t.is((await report('running')).status, 200);
  t.like(await getJob(job.id), { status: 'running' });
  await takeJob({ features });
  await serveFor(app, '10 seconds');
  t.is(await requeueUnacknowledged(app.context()), 1);
});

// Contract: ci-job-queue.outage
test.serial(
  'a restart that is longer than an acknowledgement may take begins that anew, and nothing else',
  async (t) => {
    const start = async () => {
      const process = new UptimeBeat(app.services);
      process.start();
      await process.stop();
    };
    await start();
    await takeJob({ features: { two_phase_job_commit: true } });
    app.clock.advance('25 seconds');
    await start();
    t.is(await requeueUnacknowledged(app.context()), 0);
    t.deepEqual(await findNextRequeue(app.context()), new Date(app.clock.now().getTime() + 9000));
    app.clock.advance('8 seconds');
    t.is(await requeueUnacknowledged(app.context()), 0);
    app.clock.advance('1 second');
    t.is(await requeueUnacknowledged(app.context()), 1);
    // One of several processes begins: the others were there to hear it.
    await takeJob({ features: { two_phase_job_commit: true } });
    await comeBack();
    app.clock.advance('10 seconds');
    await start();
    t.is(await requeueUnacknowledged(app.context()), 1);
  },
);

// Contract: ci-job-queue.outage
test.serial('a pending job waits a whole period for runners that could not ask during an outage', async (t) => {
  const project = await app.build.project();
  const runner = await createRunner();
  const [job, other] = [await createJob(project), await createJob(project, { definition: { tags: ['rare'] } })];
  await serveFor(app, '30 minutes');
  app.clock.advance('5 hours');
  await serveFor(app, '59 minutes');
  t.deepEqual(await tend(), NOTHING);
  t.is((await ask(runner.token)).status, 201);
  t.like(await getJob(job.id), { status: 'running' });
  await serveFor(app, '1 minute');
  t.deepEqual(await tend(), { ...NOTHING, stuck: 1 });
  t.like(await getJob(other.id), { failure_reason: 'stuck_pending_no_matching_runners' });
});

// Contract: ci-job-queue.outage
test.serial('of a day that a pending job may wait, outages take nothing, and do not begin it anew', async (t) => {
  const job = await createJob(await app.build.project(), { definition: { tags: ['a'] } });
  const runner = await createRunner({ tag_list: ['a'] });
  // It asks for jobs, and does not get this one.
  const contact = () =>
    app.context().query(sql`update runners set contacted_at = ${app.clock.now()} where id = ${runner.id}`);
  for (const hours of [8, 8, 7]) {
    app.clock.advance('3 hours');
    await serveFor(app, `${hours} hours`);
    await contact();
    t.deepEqual(await tend(), NOTHING);
  }
  await serveFor(app, '1 hour');
  await contact();
  t.deepEqual(await tend(), { ...NOTHING, stuck: 1 });
  t.like(await getJob(job.id), { failure_reason: 'stuck_pending_with_matching_runners' });
});

// Contract: ci-job-queue.outage
test.serial('an API process notes that it is there, from its start on; old notes are removed', async (t) => {
  const list = () =>
    app.context().query<{ started_at: Date; noted_at: Date }>(sql`
      select started_at, noted_at from instance_uptimes order by noted_at desc`);
  const beat = async () => {
    const process = new UptimeBeat(app.services);
    process.start();
    await process.stop();
  };
  const started_at = app.clock.now();
  await beat();
  app.clock.advance('20 seconds');
  await beat();
  t.deepEqual(await list(), [{ started_at, noted_at: app.clock.now() }]);
  await app.context().query(sql`
    insert into instance_uptimes (started_at, noted_at)
    select ${started_at}::timestamptz - n * interval '1 hour', ${started_at}::timestamptz - n * interval '1 hour'
      from generate_series(1, 250) n`);
  app.clock.advance('1 hour');
  await beat();
  const [newest, ...earlier] = await list();
  t.deepEqual(newest, { started_at: app.clock.now(), noted_at: app.clock.now() });
  t.is(earlier.length, 199);
});

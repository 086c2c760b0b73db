import test from 'ava';
import { sql } from 'kysely';
import { claimJob } from '../../../shared/ci/job-handouts/claim-job.js';
import type { JobClaim } from '../../../shared/ci/job-handouts/claim-job.js';
import { dropQueuedJob } from '../../../shared/ci/job-handouts/drop-queued-job.js';
import { requeueUnacknowledged } from '../../../shared/ci/job-handouts/put-back-jobs.js';
import { tendRunnerJobs } from '../../../shared/ci/job-tending/tend-jobs.js';
import { useApp } from '../../core/app.js';
import { somebodyWaits } from '../../core/holding.js';
import { buildRunner, getStoredJob, isQueued, queueJobs, serveFor } from './queue-steps.js';
import type { BuiltRunner } from './queue-steps.js';

const app = useApp(test);

const NOTHING = { requeued: 0, stuck: 0, silent: 0, repaired: 0, managers: 0 };

const tend = () => tendRunnerJobs(app.context());

/** A project with a runner of its own, and nothing that is left of other tests. */
async function buildProject(more: object = {}) {
  await app.context().query(sql`delete from pipelines`);
  await app.context().query(sql`delete from runners`);
  const project = await app.build.project();
  const built = await buildRunner(app, { runner_type: 'project_type', projects: [project], ...more });
  return { project, built };
}

async function claim({ runner, manager }: BuiltRunner): Promise<JobClaim> {
  return (await claimJob(app.context(), runner, manager)) as JobClaim;
}

const contact = ({ runner, manager }: BuiltRunner) =>
  app.context().query(sql`
    with managers as (update runner_managers set contacted_at = ${app.clock.now()} where id = ${manager.id})
    update runners set contacted_at = ${app.clock.now()} where id = ${runner.id}`);

// Contract: ci-job-queue.ends
test.serial('a pending job that no runner could take fails after an hour, else after a day', async (t) => {
  const { project, built } = await buildProject();
  const [id] = (await queueJobs(app, project, 1)) as [number];
  const [unfit] = (await queueJobs(app, project, 1, { tag_list: ['rare'] })) as [number];
  await serveFor(app, '59 minutes');
  t.deepEqual(await tend(), NOTHING);
  await serveFor(app, '1 minute');
  t.deepEqual(await tend(), { ...NOTHING, stuck: 1 });
  t.like(await getStoredJob(app, unfit), { status: 'failed', failure_reason: 'stuck_pending_no_matching_runners' });
  t.false(await isQueued(app, unfit));
  await serveFor(app, '23 hours');
  await contact(built);
  t.deepEqual(await tend(), { ...NOTHING, stuck: 1 });
  t.like(await getStoredJob(app, id), { status: 'failed', failure_reason: 'stuck_pending_with_matching_runners' });
  t.deepEqual(await tend(), NOTHING);
});

// Contract: ci-job-queue.ends
test.serial('a runner that is offline or paused counts as none', async (t) => {
  for (const change of [
    sql`update runners set contacted_at = ${app.clock.now()}::timestamptz - interval '3 hours'`,
    sql`update runners set paused = true`,
  ]) {
    const { project } = await buildProject();
    await app.context().query(change);
    const [id] = (await queueJobs(app, project, 1)) as [number];
    await serveFor(app, '60 minutes');
    t.deepEqual(await tend(), { ...NOTHING, stuck: 1 });
    t.like(await getStoredJob(app, id), { failure_reason: 'stuck_pending_no_matching_runners' });
  }
});

// Contract: ci-job-queue.ends
test.serial(
  'a running job of which nothing is heard fails after an hour, sooner if its runner is silent',
  async (t) => {
    const { project, built } = await buildProject();
    const [id, other] = (await queueJobs(app, project, 2, { definition: { timeout: 86_400 } })) as [number, number];
    await claim(built);
    await serveFor(app, '10 minutes');
    await contact(built);
    t.deepEqual(await tend(), NOTHING);
    await serveFor(app, '50 minutes');
    await contact(built);
    t.deepEqual(await tend(), { ...NOTHING, silent: 1 });
    t.like(await getStoredJob(app, id), { status: 'failed', failure_reason: 'no_updates_running' });
    t.like(await claim(built), { job_id: other });
    await serveFor(app, '9 minutes');
    t.deepEqual(await tend(), NOTHING);
    await serveFor(app, '1 minute');
    t.deepEqual(await tend(), { ...NOTHING, silent: 1 });
    t.like(await getStoredJob(app, other), { status: 'failed', failure_reason: 'no_updates_running' });
  },
);

// Contract: ci-job-queue.ends
test.serial('a job that is over its timeout by a quarter of an hour fails, whatever is heard of it', async (t) => {
  const { project, built } = await buildProject();
  const [id] = (await queueJobs(app, project, 1, { definition: { timeout: 600 } })) as [number];
  const { run_id: runId } = await claim(built);
  await serveFor(app, '24 minutes');
  const touch = () =>
    app.context().query(sql`update job_runs set contacted_at = ${app.clock.now()} where id = ${runId}`);
  await touch();
  t.deepEqual(await tend(), NOTHING);
  await serveFor(app, '1 minute');
  await touch();
  t.deepEqual(await tend(), { ...NOTHING, silent: 1 });
  t.like(await getStoredJob(app, id), { status: 'failed', failure_reason: 'server_timeout_running' });
});

// Contract: ci-job-queue.ends
test.serial('a job that is being canceled is canceled when nothing was heard of it for half an hour', async (t) => {
  const { project, built } = await buildProject();
  const [id] = (await queueJobs(app, project, 1)) as [number];
  await claim(built);
  await app.context().query(sql`update jobs set status = 'canceling' where id = ${id}`);
  await serveFor(app, '29 minutes');
  t.deepEqual(await tend(), NOTHING);
  await serveFor(app, '1 minute');
  t.deepEqual(await tend(), { ...NOTHING, silent: 1 });
  t.like(await getStoredJob(app, id), { status: 'canceled', failure_reason: null });
});

// Contract: ci-job-queue.ends
test.serial('a job whose runner was deleted ends as well once nothing is heard of it', async (t) => {
  for (const [status, minutes, end] of [
    ['running', 10, { status: 'failed', failure_reason: 'no_updates_running' }],
    ['canceling', 30, { status: 'canceled', failure_reason: null }],
  ] as const) {
    const { project, built } = await buildProject();
    const [id] = (await queueJobs(app, project, 1)) as [number];
    await claim(built);
    await app.context().query(sql`update jobs set status = ${status} where id = ${id}`);
    await app.context().query(sql`delete from runners where id = ${built.runner.id}`);
    await serveFor(app, `${minutes - 1} minutes`);
    t.deepEqual(await tend(), NOTHING);
    await serveFor(app, '1 minute');
    t.deepEqual(await tend(), { ...NOTHING, silent: 1 });
    t.like(await getStoredJob(app, id), { ...end, runner_id: null });
  }
});

// Contract: ci-job-queue.ends
test.serial('the times are settings', async (t) => {
  const { project } = await buildProject();
  await queueJobs(app, project, 1, { tag_list: ['rare'] });
  await app.set({ ci_stuck_pending_without_runner_seconds: 60 });
  await serveFor(app, '1 minute');
  t.deepEqual(await tend(), { ...NOTHING, stuck: 1 });
  await app.set({ ci_stuck_pending_without_runner_seconds: 3600 });
});

// Contract: ci-job-queue.acknowledge
test.serial('a job is handed out three times at most', async (t) => {
  const { project, built } = await buildProject({ features: { two_phase_job_commit: true } });
  const [id] = (await queueJobs(app, project, 1)) as [number];
  for (const handouts of [1, 2, 3]) {
    t.like(await claim(built), { job_id: id });
    t.like(await getStoredJob(app, id), { status: 'pending', handouts });
    await serveFor(app, '10 seconds');
    t.is(await requeueUnacknowledged(app.context()), 1);
  }
  t.like(await getStoredJob(app, id), { status: 'failed', failure_reason: 'scheduler_failure' });
  t.false(await isQueued(app, id));
});

/** Has a runner take a job while something else waits for the row of that job in the queue. */
async function claimMeanwhile<R>(built: BuiltRunner, other: () => Promise<R>): Promise<[JobClaim, R]> {
  const hold = app.heldRuns.hold('job.claimed');
  const claimed = claim(built);
  await hold.reached;
  let done = false;
  const result = other().finally(() => (done = true));
  await somebodyWaits(app, () => done);
  hold.release();
  return Promise.all([claimed, result]);
}

// Contract: ci-job-queue.ends
test.serial('a job that a runner gets while it is found overdue is not ended', async (t) => {
  const { project, built } = await buildProject();
  const [id] = (await queueJobs(app, project, 1)) as [number];
  await serveFor(app, '24 hours');
  const [claimed, tended] = await claimMeanwhile(built, tend);
  t.is(claimed.job_id, id);
  t.deepEqual(tended, NOTHING);
  t.like(await getStoredJob(app, id), { status: 'running', failure_reason: null });
});

// Contract: ci-job-queue.dropped
test.serial('a job that a runner gets while it is dropped for another one is not failed', async (t) => {
  const { project, built } = await buildProject();
  const [id] = (await queueJobs(app, project, 1)) as [number];
  const [pipeline] = await app
    .context()
    .query<{ id: number }>(sql`select pipeline_id as id from jobs where id = ${id}`);
  const job = { job_id: id, pipeline_id: (pipeline as { id: number }).id };
  const [claimed] = await claimMeanwhile(built, () => dropQueuedJob(app.context(), job, 'runner_unsupported'));
  t.is(claimed.job_id, id);
  t.like(await getStoredJob(app, id), { status: 'running', failure_reason: null });
});

// Contract: ci-job-queue.repair
test.serial('a queue that disagrees with the jobs is repaired', async (t) => {
  const { project, built } = await buildProject();
  const [lost, ended, queued] = (await queueJobs(app, project, 3)) as [number, number, number];
  await app.context().query(sql`delete from ci_queue where job_id = ${lost}`);
  await app.context().query(sql`update jobs set status = 'canceled' where id = ${ended}`);
  t.deepEqual(await tend(), { ...NOTHING, repaired: 2 });
  t.deepEqual(
    [await isQueued(app, lost), await isQueued(app, ended), await isQueued(app, queued)],
    [true, false, true],
  );
  t.deepEqual(await tend(), NOTHING);
  t.like(await claim(built), { job_id: lost });
});

const REASONS: [string, (project: { id: number; owner: { id: number } }) => ReturnType<typeof sql>][] = [
  ['archived_failure', ({ id }) => sql`update projects set archived = true where id = ${id}`],
  ['builds_disabled', ({ id }) => sql`update projects set builds_access_level = 'disabled' where id = ${id}`],
  ['project_deleted', ({ id }) => sql`update projects set marked_for_deletion_at = now() where id = ${id}`],
  ['user_blocked', ({ owner }) => sql`update users set state = 'blocked' where id = ${owner.id}`],
];
for (const [reason, change] of REASONS)
  // Contract: ci-job-queue.dropped
  test.serial(`at a hand-out a job fails with ${reason}`, async (t) => {
    const { project, built } = await buildProject();
    const [id] = (await queueJobs(app, project, 1)) as [number];
    await app.context().query(change(project));
    t.is(await claimJob(app.context(), built.runner, built.manager), null);
    t.like(await getStoredJob(app, id), { status: 'failed', failure_reason: reason });
    t.false(await isQueued(app, id));
  });

// Contract: ci-job-queue.dropped
test.serial('a job fails that needs more than its runner can do; the next one is handed out', async (t) => {
  const { project, built } = await buildProject();
  const definition = { allow_failure: { exit_codes: [137] } };
  const [id] = (await queueJobs(app, project, 1, { definition })) as [number];
  const [next] = (await queueJobs(app, project, 1)) as [number];
  t.like(await claim(built), { job_id: next });
  t.like(await getStoredJob(app, id), { status: 'failed', failure_reason: 'runner_unsupported' });
  const able = await buildRunner(app, {
    runner_type: 'project_type',
    projects: [project],
    features: { return_exit_code: true },
  });
  const [third] = (await queueJobs(app, project, 1, { definition })) as [number];
  t.like(await claim(able), { job_id: third });
});

// Contract: runners.stale-managers
test.serial('managers that made no contact for a week are removed, runners never', async (t) => {
  const { project, built } = await buildProject();
  const [id] = (await queueJobs(app, project, 1)) as [number];
  await claim(built);
  await app.context().query(sql`update jobs set status = 'success' where id = ${id}`);
  const silent = await buildRunner(app);
  const never = await buildRunner(app);
  await app.context().query(sql`update runner_managers set contacted_at = null where id = ${never.manager.id}`);
  await serveFor(app, '7 days');
  t.deepEqual(await tend(), NOTHING);
  const young = await buildRunner(app);
  await app.context().query(sql`update runner_managers set contacted_at = null where id = ${young.manager.id}`);
  await contact(silent);
  await serveFor(app, '1 second');
  t.deepEqual(await tend(), { ...NOTHING, managers: 2 });
  const managers = await app.context().query<{ id: number }>(sql`select id from runner_managers order by id`);
  t.deepEqual(
    managers.map((manager) => manager.id),
    [silent.manager.id, young.manager.id],
  );
  const runners = await app.context().query<{ n: number }>(sql`select count(*)::int as n from runners`);
  t.is(runners[0]!.n, 4);
  t.like(await getStoredJob(app, id), { runner_id: built.runner.id, runner_manager_id: null });
  t.deepEqual(await tend(), NOTHING);
});

// Contract: runners.stale-managers
test.serial('a manager of which a job is being changed is removed later, and nobody waits for that', async (t) => {
  const { project, built } = await buildProject();
  const [id] = (await queueJobs(app, project, 1)) as [number];
  await claim(built);
  await app.context().query(sql`update jobs set status = 'success' where id = ${id}`);
  await buildRunner(app);
  await serveFor(app, '8 days');
  const client = await app.services.db.pool.connect();
  try {
    await client.query('begin');
    await client.query('select id from jobs where id = $1 for update', [id]);
    t.deepEqual(await tend(), { ...NOTHING, managers: 1 });
    t.like(await getStoredJob(app, id), { runner_manager_id: built.manager.id });
  } finally {
    await client.query('rollback');
    client.release();
  }
  t.deepEqual(await tend(), { ...NOTHING, managers: 1 });
  t.like(await getStoredJob(app, id), { runner_manager_id: null });
});

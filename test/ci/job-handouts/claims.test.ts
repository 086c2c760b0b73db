import test from 'ava';
import { sql } from 'kysely';
import { acknowledgeJob, renewAcknowledgement } from '../../../shared/ci/job-handouts/acknowledge-job.js';
import { claimJob } from '../../../shared/ci/job-handouts/claim-job.js';
import type { JobClaim } from '../../../shared/ci/job-handouts/claim-job.js';
import { putBack, requeueUnacknowledged } from '../../../shared/ci/job-handouts/put-back-jobs.js';
import { useApp } from '../../core/app.js';
import { buildRunner, getStoredJob, isQueued, queueJobs, serveFor } from './queue-steps.js';
import type { BuiltRunner } from './queue-steps.js';

const app = useApp(test);

const TWO_PHASE = { two_phase_job_commit: true };

const claim = ({ runner, manager }: BuiltRunner) => claimJob(app.context(), runner, manager);

/** The job that a runner gets; null for none. */
async function claimedId(built: BuiltRunner): Promise<number | null> {
  const claimed = await claim(built);
  return claimed === 'lost' ? Promise.reject(new Error('lost')) : (claimed?.job_id ?? null);
}

const ofProject = (project: { id: number }, more: object = {}) =>
  buildRunner(app, { runner_type: 'project_type', projects: [project], ...more });

// Contract: ci-job-queue.handout
test.serial('a job goes to a runner with a token, and is running', async (t) => {
  const project = await app.build.project();
  const built = await ofProject(project);
  const [id] = (await queueJobs(app, project, 1)) as [number];
  const claimed = (await claim(built)) as JobClaim;
  t.like(claimed, { job_id: id, project_id: project.id, awaits_acknowledgement: false, timeout: 3600 });
  t.regex(claimed.token, /^cjt-[\w-]{26}$/);
  t.like(await getStoredJob(app, id), {
    status: 'running',
    runner_id: built.runner.id,
    runner_manager_id: built.manager.id,
    handouts: 1,
    timeout: 3600,
    started_at: app.clock.now(),
  });
  t.false(await isQueued(app, id));
  const [run] = await app.context().query<{ token_digest: Uint8Array }>(sql`
    select token_digest from job_runs where job_id = ${id}`);
  t.deepEqual(Buffer.from((run as { token_digest: Uint8Array }).token_digest), app.services.keys.digest(claimed.token));
  t.is(await claim(built), null);
});

// Contract: ci-job-queue.handout
test.serial('a runner whose manager another process has deleted gets its job all the same', async (t) => {
  const project = await app.build.project();
  const built = await ofProject(project);
  const [id] = (await queueJobs(app, project, 1)) as [number];
  await app.context().query(sql`delete from runner_managers where id = ${built.manager.id}`);
  t.like(await claim(built), { job_id: id });
  t.like(await getStoredJob(app, id), { status: 'running', runner_id: built.runner.id, runner_manager_id: null });
});

// Contract: ci-job-queue.fits
test.serial('vector 44: a runner needs every tag of a job', async (t) => {
  const project = await app.build.project();
  const [id] = (await queueJobs(app, project, 1, { tag_list: ['a', 'b'] })) as [number];
  t.is(await claimedId(await ofProject(project, { tag_list: ['a'] })), null);
  t.is(await claimedId(await ofProject(project, { tag_list: ['a', 'b', 'c'] })), id);
});

// Contract: ci-job-queue.fits
test.serial('vector 45: a runner for protected refs takes no other job', async (t) => {
  const project = await app.build.project();
  const built = await ofProject(project, { access_level: 'ref_protected' });
  await queueJobs(app, project, 1);
  t.is(await claimedId(built), null);
  const [id] = (await queueJobs(app, project, 1, { protected: true })) as [number];
  t.is(await claimedId(built), id);
});

// Contract: ci-job-queue.fits
test.serial('vector 46: a job without tags needs a runner that takes such jobs', async (t) => {
  const project = await app.build.project();
  const [id] = (await queueJobs(app, project, 1)) as [number];
  t.is(await claimedId(await ofProject(project, { run_untagged: false, tag_list: ['a'] })), null);
  t.is(await claimedId(await ofProject(project)), id);
});

// Contract: ci-job-queue.fits
test.serial('a paused runner gets no job, nor does any while the queue of processing is paused', async (t) => {
  const project = await app.build.project();
  const built = await ofProject(project);
  const [id] = (await queueJobs(app, project, 1)) as [number];
  t.is(await claimedId(await ofProject(project, { paused: true })), null);
  const pause = (paused: boolean) =>
    app.context().query(sql`
      insert into queue_controls (queue, paused, changed_at) values ('pipelines.process', ${paused}, now())
        on conflict (queue) do update set paused = excluded.paused`);
  await pause(true);
  t.is(await claimedId(built), null);
  await pause(false);
  t.is(await claimedId(built), id);
});

// Contract: ci-job-queue.fits
test.serial('runners serve by their kind and by the settings of the project as they are now', async (t) => {
  const group = await app.build.group();
  const project = await app.build.project();
  await app.context().query(sql`update projects set namespace_id = ${group.id} where id = ${project.id}`);
  const tags = { tag_list: ['kinds'], run_untagged: false };
  const [other, ofGroup] = [
    await ofProject(await app.build.project(), tags),
    await buildRunner(app, { runner_type: 'group_type', namespace_id: group.id, ...tags }),
  ];
  const ofInstance = await buildRunner(app, tags);
  const [first, second] = (await queueJobs(app, project, 2, { tag_list: ['kinds'] })) as [number, number];
  const set = (column: string, value: boolean) =>
    app
      .context()
      .query(sql`update project_settings set ${sql.ref(column)} = ${value} where project_id = ${project.id}`);
  await set('shared_runners_enabled', false);
  await set('group_runners_enabled', false);
  for (const built of [other, ofGroup, ofInstance]) t.is(await claimedId(built), null);
  await set('group_runners_enabled', true);
  t.is(await claimedId(ofGroup), first);
  t.is(await claimedId(ofInstance), null);
  await set('shared_runners_enabled', true);
  t.is(await claimedId(ofInstance), second);
});

// Contract: ci-job-queue.handout
test.serial('the shorter timeout counts: of the job or its project, and of the runner', async (t) => {
  const project = await app.build.project();
  const built = await ofProject(project, { maximum_timeout: 700 });
  await queueJobs(app, project, 1);
  t.like(await claim(built), { timeout: 700 });
  await queueJobs(app, project, 1, { definition: { timeout: 60 } });
  t.like(await claim(built), { timeout: 60 });
});

// Contract: ci-job-queue.order
test.serial(
  'instance runners serve the project with the fewest jobs first: a flood delays no other project',
  async (t) => {
    const [flood, calm] = [await app.build.project(), await app.build.project()];
    const built = await buildRunner(app, { tag_list: ['fair'], run_untagged: false });
    await queueJobs(app, flood, 40, { tag_list: ['fair'] });
    for (let served = 0; served < 5; served += 1) await claim(built);
    const [id] = (await queueJobs(app, calm, 1, { tag_list: ['fair'] })) as [number];
    const next = [await claimedId(built), await claimedId(built)];
    t.true(next.includes(id));
  },
);

// Contract: ci-job-queue.order
test.serial('other runners take the oldest job first, whichever project it is of', async (t) => {
  const [one, other] = [await app.build.project(), await app.build.project()];
  const built = await buildRunner(app, { runner_type: 'project_type', projects: [one, other] });
  const ids = [
    ...(await queueJobs(app, other, 2)),
    ...(await queueJobs(app, one, 1)),
    ...(await queueJobs(app, other, 1)),
  ];
  const claimed: (number | null)[] = [];
  for (let count = 0; count < 4; count += 1) claimed.push(await claimedId(built));
  t.deepEqual(claimed, ids);
});

// Contract: ci-job-queue.acknowledge
test.serial('a runner that acknowledges its jobs has one pending until it does', async (t) => {
  const project = await app.build.project();
  const built = await ofProject(project, { features: TWO_PHASE });
  const [id] = (await queueJobs(app, project, 1)) as [number];
  const claimed = (await claim(built)) as JobClaim;
  t.true(claimed.awaits_acknowledgement);
  t.like(await getStoredJob(app, id), { status: 'pending', runner_id: built.runner.id, started_at: null });
  t.false(await isQueued(app, id));
  const run = { id: claimed.run_id, job: { id, pipeline_id: claimed.pipeline_id } };
  app.clock.advance('5 seconds');
  t.true(await renewAcknowledgement(app.context(), run));
  t.true(await acknowledgeJob(app.context(), run));
  t.like(await getStoredJob(app, id), { status: 'running', started_at: app.clock.now() });
  t.false(await acknowledgeJob(app.context(), run));
  t.false(await renewAcknowledgement(app.context(), run));
});

// Contract: ci-job-queue.acknowledge
test.serial('with the setting off such a job runs at once', async (t) => {
  const project = await app.build.project();
  const built = await ofProject(project, { features: TWO_PHASE });
  await queueJobs(app, project, 1);
  await app.set({ ci_two_phase_job_commit: false });
  t.like(await claim(built), { awaits_acknowledgement: false });
  await app.set({ ci_two_phase_job_commit: true });
});

// Contract: ci-job-queue.acknowledge
test.serial('a hand-out that nobody acknowledges in time is queued again, and its token is worthless', async (t) => {
  const project = await app.build.project();
  const [built, other] = [await ofProject(project, { features: TWO_PHASE }), await ofProject(project)];
  const [id] = (await queueJobs(app, project, 1)) as [number];
  const lost = (await claim(built)) as JobClaim;
  await serveFor(app, '8 seconds');
  await requeueUnacknowledged(app.context());
  t.false(await isQueued(app, id));
  await serveFor(app, '1 second');
  await requeueUnacknowledged(app.context());
  t.true(await isQueued(app, id));
  t.like(await getStoredJob(app, id), { status: 'pending', runner_id: null, handouts: 1 });
  t.false(await acknowledgeJob(app.context(), { id: lost.run_id, job: { id, pipeline_id: lost.pipeline_id } }));
  t.is(await claimedId(other), id);
  t.like(await getStoredJob(app, id), { status: 'running', handouts: 2 });
});

// Contract: ci-job-queue.put-back
test.serial('a hand-out of which nothing was sent is put back, and does not count', async (t) => {
  const project = await app.build.project();
  const built = await ofProject(project, { maximum_timeout: 600 });
  const [id] = (await queueJobs(app, project, 1)) as [number];
  const claimed = (await claim(built)) as JobClaim;
  t.true(await putBack(app.context(), claimed));
  t.like(await getStoredJob(app, id), { status: 'pending', runner_id: null, handouts: 0, started_at: null });
  t.false(await putBack(app.context(), claimed));
  t.like(await claim(await ofProject(project)), { job_id: id, timeout: 3600 });
});

// Contract: ci-job-queue.put-back
test.serial('a hand-out of which nothing was sent ends where its job was canceled meanwhile', async (t) => {
  const project = await app.build.project();
  const built = await ofProject(project, { features: { cancel_gracefully: true } });
  const [id] = (await queueJobs(app, project, 1)) as [number];
  const claimed = (await claim(built)) as JobClaim;
  await app.context().query(sql`update jobs set status = 'canceling' where id = ${id}`);
  t.false(await putBack(app.context(), claimed));
  t.like(await getStoredJob(app, id), { status: 'canceled', failure_reason: null });
  t.false(await isQueued(app, id));
});

import test from 'ava';
import { sql } from 'kysely';
import { claimJob } from '../../../shared/ci/job-handouts/claim-job.js';
import { endJobs } from '../../../shared/ci/processing/end-jobs.js';
import { processPipeline } from '../../../shared/ci/processing/process-pipeline.js';
import { requestMissedProcessing } from '../../../shared/ci/processing/sweep-pipelines.js';
import { useApp } from '../../core/app.js';
import { somebodyWaits } from '../../core/holding.js';
import { buildRunner } from '../job-handouts/queue-steps.js';
import { processingSteps } from './processing-steps.js';

const app = useApp(test);
const { pipelineOf, states, state, end, act, find, listJobs, configure, start } = processingSteps(app);

const process = (id: number) => {
  const ctx = app.context();
  return ctx.transaction(() => processPipeline(ctx, id));
};

// Contract: ci-states.races
test.serial('a job that is handed out while it is canceled ends as canceled, and its runner may end it', async (t) => {
  const pipeline = await pipelineOf('a: {script: x}');
  const { runner, manager } = await buildRunner(app, { features: { cancel_gracefully: true } });
  const hold = app.heldRuns.hold('jobs.canceling');
  const canceled = act(pipeline, 'a', 'cancel');
  await hold.reached;
  // A hand-out does not wait for the pipeline's row until it has the job.
  const claim = claimJob(app.context(), runner, manager);
  let done = false;
  void claim.finally(() => (done = true));
  await somebodyWaits(app, () => done);
  hold.release();
  t.is((await canceled).status, 201);
  t.truthy(await claim);
  await app.work();
  t.deepEqual(await states(pipeline), { a: 'canceling' });
  await end(pipeline, 'a');
  t.deepEqual([await states(pipeline), await state(pipeline)], [{ a: 'canceled' }, 'canceled']);
});

// Contract: ci-states.races
test.serial('a pipeline that is deleted while its job is handed out is gone with it', async (t) => {
  const pipeline = await pipelineOf('a: {script: x}');
  const { runner, manager } = await buildRunner(app, {});
  const hold = app.heldRuns.hold('job.claimed');
  const claim = claimJob(app.context(), runner, manager);
  await hold.reached;
  let done = false;
  const deleted = pipeline.owner.delete(`${pipeline.path}/pipelines/${pipeline.id}`).finally(() => (done = true));
  await somebodyWaits(app, () => done);
  hold.release();
  t.truthy(await claim);
  t.is((await deleted).status, 204);
  const rows = await app.context().query(sql`select id from jobs where pipeline_id = ${pipeline.id}`);
  t.deepEqual(rows, []);
});

// Contract: ci-states.races
test.serial('two runs of the processing of one pipeline come out as one', async (t) => {
  const pipeline = await pipelineOf(`
a: {stage: build, script: x}
b: {stage: test, script: x}
c: {stage: test, script: x, when: on_failure}
`);
  const { id } = await find(pipeline, 'a');
  const ctx = app.context();
  await ctx.transaction(() => endJobs(ctx, [{ job_id: id, pipeline_id: pipeline.id, status: 'success' }]));
  const hold = app.heldRuns.hold('pipeline.loaded');
  const first = process(pipeline.id);
  await hold.reached;
  let done = false;
  const second = process(pipeline.id).finally(() => (done = true));
  await somebodyWaits(app, () => done);
  hold.release();
  await Promise.all([first, second]);
  t.deepEqual(await states(pipeline), { a: 'success', b: 'pending', c: 'skipped' });
  const queued = await app.context().query(sql`
    select q.id from ci_queue q where q.project_id = ${pipeline.project.id}`);
  t.is(queued.length, 1);
  const before = (await pipeline.owner.get(`${pipeline.path}/pipelines/${pipeline.id}`)).body;
  app.clock.advance('1 minute');
  await process(pipeline.id);
  t.deepEqual((await pipeline.owner.get(`${pipeline.path}/pipelines/${pipeline.id}`)).body, before);
});

// Contract: ci-states.races
test.serial('a job that two ends come to has the first, and is tried again once', async (t) => {
  const pipeline = await pipelineOf('a: {script: x, retry: 2}');
  const { id } = await find(pipeline, 'a');
  const failed = { job_id: id, pipeline_id: pipeline.id, status: 'failed', failure_reason: 'script_failure' } as const;
  const finish = () => {
    const ctx = app.context();
    return ctx.transaction(() => endJobs(ctx, [failed]));
  };
  const hold = app.heldRuns.hold('jobs.ending');
  const first = finish();
  await hold.reached;
  const second = await finish();
  hold.release();
  t.deepEqual([second, await first], [[id], []]);
  t.is((await listJobs(pipeline, true)).length, 2);
});

// Contract: ci-states.sweep
test.serial('what a crash left is found: lost processing, a resource without its holder', async (t) => {
  const project = await app.build.project();
  await configure(project, 'a: {script: x, resource_group: prod}\nb: {stage: deploy, script: x}');
  const [first, second] = [await start(project), await start(project)];
  const { id } = await find(first, 'a');
  app.clock.advance('1 minute');
  // As if everything after the change itself had been lost.
  await app.context().query(sql`
    update jobs set status = 'success', finished_at = ${app.clock.now()}, updated_at = ${app.clock.now()} where id = ${id}`);
  await app.work();
  t.deepEqual(await states(second), { a: 'waiting_for_resource', b: 'created' });
  await requestMissedProcessing(app.context());
  await app.work();
  t.deepEqual(await states(first), { a: 'success', b: 'pending' });
  t.deepEqual(await states(second), { a: 'pending', b: 'created' });
  app.clock.advance('1 minute');
  await requestMissedProcessing(app.context());
  await app.work();
  app.clock.advance('1 minute');
  t.deepEqual(await requestMissedProcessing(app.context()), { pipelines: 0, groups: 0 });
});

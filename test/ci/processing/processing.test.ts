import test from 'ava';
import { sql } from 'kysely';
import { endJobs } from '../../../shared/ci/processing/end-jobs.js';
import { requestMissedProcessing } from '../../../shared/ci/processing/sweep-pipelines.js';
import { useApp } from '../../core/app.js';
import { processingSteps } from './processing-steps.js';

const app = useApp(test);
const { pipelineOf, states, state, end, fail, act, listJobs, configure, start } = processingSteps(app);

// Contract: ci-states.when
test.serial('vector 31: after a failure jobs for success are skipped, those for failure and always run', async (t) => {
  const pipeline = await pipelineOf(`
a: {stage: build, script: x}
b: {stage: test, script: x}
c: {stage: test, script: x, when: on_failure}
d: {stage: test, script: x, when: always}
`);
  t.deepEqual(await states(pipeline), { a: 'pending', b: 'created', c: 'created', d: 'created' });
  t.is(await state(pipeline), 'pending');
  await fail(pipeline, 'a');
  t.deepEqual(await states(pipeline), { a: 'failed', b: 'skipped', c: 'pending', d: 'pending' });
  t.is(await state(pipeline), 'running');
  await end(pipeline, 'c');
  await end(pipeline, 'd');
  t.is(await state(pipeline), 'failed');
});

// Contract: ci-states.manual
test.serial('vector 29: a rule for manual blocks the pipeline, a manual job of the file does not', async (t) => {
  const blocked = await pipelineOf('a: {script: x, rules: [{when: manual}]}');
  t.deepEqual([await states(blocked), await state(blocked)], [{ a: 'manual' }, 'manual']);
  const optional = await pipelineOf('a: {script: x, when: manual}');
  t.deepEqual([await states(optional), await state(optional)], [{ a: 'manual' }, 'skipped']);
});

// Contract: ci-states.needs
test.serial('vector 30: a job that needs nothing does not wait for the stages before it', async (t) => {
  const pipeline = await pipelineOf(`
a: {stage: build, script: x}
b: {stage: test, script: x, needs: []}
c: {stage: test, script: x}
`);
  t.deepEqual(await states(pipeline), { a: 'pending', b: 'pending', c: 'created' });
});

// Contract: ci-states.allow-failure
test.serial('vector 32: an exit code that is allowed does not fail the pipeline, another does', async (t) => {
  const file = 'a: {script: x, allow_failure: {exit_codes: 137}}';
  const allowed = await pipelineOf(file);
  await fail(allowed, 'a', { exit_code: 137 });
  t.is(await state(allowed), 'success');
  const other = await pipelineOf(file);
  await fail(other, 'a', { exit_code: 1 });
  t.is(await state(other), 'failed');
});

// Contract: ci-states.retry
test.serial('vector 34: a job that always fails is tried three times, each time as a new job', async (t) => {
  const pipeline = await pipelineOf('a: {script: x, retry: 2}');
  for (const _ of [1, 2, 3]) {
    t.deepEqual(await states(pipeline), { a: 'pending' });
    await fail(pipeline, 'a');
  }
  t.deepEqual(await states(pipeline), { a: 'failed' });
  t.is((await listJobs(pipeline, true)).length, 3);
  t.is(await state(pipeline), 'failed');
});

// Contract: ci-states.retry
test.serial('reports with the name of a job are no attempts of it', async (t) => {
  const pipeline = await pipelineOf('a: {script: x, retry: 1}');
  const { owner, path, id } = pipeline;
  const { sha } = (await owner.get(`${path}/pipelines/${id}`)).body;
  for (const _ of [1, 2]) await owner.post(`${path}/statuses/${sha}`, { name: 'a', state: 'success', pipeline_id: id });
  const [job] = (await listJobs(pipeline)).filter(({ status }) => status === 'pending');
  const ctx = app.context();
  await ctx.transaction(() =>
    endJobs(ctx, [{ job_id: job!.id, pipeline_id: id, status: 'failed', failure_reason: 'script_failure' }]),
  );
  await app.work();
  t.deepEqual((await listJobs(pipeline)).map(({ status }) => status).sort(), ['pending', 'success']);
});

// Contract: ci-states.parallel
test.serial('vector 35: a matrix makes a job of each combination, and each of them runs', async (t) => {
  const pipeline = await pipelineOf('j: {script: x, parallel: {matrix: [{X: [a, b], Y: [1]}]}}');
  t.deepEqual(await states(pipeline), { 'j: [a, 1]': 'pending', 'j: [b, 1]': 'pending' });
});

// Contract: ci-states.delayed
test.serial('a delayed job begins at its time, and fails when it is an hour late', async (t) => {
  const file = 'a: {script: x, when: delayed, start_in: 10 minutes}';
  const pipeline = await pipelineOf(file);
  t.deepEqual([await states(pipeline), await state(pipeline)], [{ a: 'scheduled' }, 'scheduled']);
  app.clock.advance('10 minutes');
  await app.context().query(sql`update pgboss.job set start_after = now() where name = 'pipelines.process'`);
  await app.work();
  t.deepEqual(await states(pipeline), { a: 'pending' });
  const late = await pipelineOf(file);
  app.clock.advance('71 minutes');
  await requestMissedProcessing(app.context());
  await app.work();
  t.deepEqual([await states(late), await state(late)], [{ a: 'failed' }, 'failed']);
});

// Contract: ci-states.resource-groups
test.serial('vector 59: the second of two pipelines waits for the resource of the first', async (t) => {
  const project = await app.build.project();
  await configure(project, 'a: {script: x, resource_group: prod}');
  const [first, second] = [await start(project), await start(project)];
  t.deepEqual([await states(first), await states(second)], [{ a: 'pending' }, { a: 'waiting_for_resource' }]);
  t.is(await state(second), 'waiting_for_resource');
  await end(first, 'a');
  t.deepEqual(await states(second), { a: 'pending' });
});

// Contract: ci-states.auto-cancel
test.serial('a failure cancels the rest where the configuration says so', async (t) => {
  const pipeline = await pipelineOf(`
workflow: {auto_cancel: {on_job_failure: all}}
a: {stage: build, script: x}
b: {stage: build, script: x}
c: {stage: test, script: x}
`);
  await fail(pipeline, 'a');
  t.deepEqual(await states(pipeline), { a: 'failed', b: 'canceled', c: 'canceled' });
  t.is(await state(pipeline), 'failed');
});

// Contract: ci-states.auto-cancel
test.serial('after a failure has canceled the rest, what a user retries or plays runs', async (t) => {
  const pipeline = await pipelineOf(`
workflow: {auto_cancel: {on_job_failure: all}}
a: {script: x}
b: {script: x}
c: {script: x, when: manual}
`);
  await fail(pipeline, 'a');
  t.deepEqual(await states(pipeline), { a: 'failed', b: 'canceled', c: 'manual' });
  app.clock.advance('1 minute');
  t.like((await act(pipeline, 'b', 'retry')).body, { status: 'pending' });
  t.like((await act(pipeline, 'c', 'play')).body, { status: 'pending' });
  await app.work();
  t.deepEqual(await states(pipeline), { a: 'failed', b: 'pending', c: 'pending' });
  await fail(pipeline, 'b');
  t.deepEqual(await states(pipeline), { a: 'failed', b: 'failed', c: 'canceled' });
});

// Contract: ci-states.statuses
test.serial('vector 61: a reported failure is a job of the stage external and fails the pipeline', async (t) => {
  const pipeline = await pipelineOf(`
a: {stage: build, script: x}
b: {stage: deploy, script: x}
`);
  const { owner, path, id } = pipeline;
  const { body } = await owner.get(`${path}/pipelines/${id}`);
  const report = await owner.post(`${path}/statuses/${body.sha}`, { name: 'scan', state: 'failed', pipeline_id: id });
  t.is(report.status, 201);
  t.is((await owner.get(`${path}/jobs/${report.body.id}`)).body.stage, 'external');
  await end(pipeline, 'a');
  t.deepEqual(await states(pipeline), { a: 'success', b: 'pending', scan: 'failed' });
  await end(pipeline, 'b');
  t.is(await state(pipeline), 'failed');
});

// Contract: ci-states.statuses
test.serial('what is reported never moves a job of the configuration, whatever its stage is called', async (t) => {
  const pipeline = await pipelineOf(`
stages: [external]
a: {stage: external, script: x}
`);
  const { owner, path, id } = pipeline;
  const { sha } = (await owner.get(`${path}/pipelines/${id}`)).body;
  const report = (name: string) => owner.post(`${path}/statuses/${sha}`, { name, state: 'success', pipeline_id: id });
  const refused = await report('a');
  t.deepEqual([refused.status, refused.body], [400, { message: { name: ['has already been taken'] } }]);
  t.is((await report('b')).status, 201);
  t.deepEqual(await states(pipeline), { a: 'pending', b: 'success' });
});

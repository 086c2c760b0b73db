import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { processingSteps } from './processing-steps.js';

const app = useApp(test);
const { pipelineOf, states, state, end, fail, run, act, find, listJobs, configure, start } = processingSteps(app);

const message = (text: string) => ({ message: text });

// Contract: ci-states.play
test.serial('vector 33: what needs a manual job is skipped, until somebody plays that', async (t) => {
  const pipeline = await pipelineOf(`
a: {script: x, when: manual}
b: {script: x, needs: [a]}
c: {script: x, needs: [b]}
`);
  t.deepEqual(await states(pipeline), { a: 'manual', b: 'skipped', c: 'skipped' });
  t.is(await state(pipeline), 'skipped');
  const played = await act(pipeline, 'a', 'play');
  t.is(played.status, 200);
  t.like(played.body, { status: 'pending', name: 'a' });
  t.deepEqual(await states(pipeline), { a: 'pending', b: 'created', c: 'created' });
  await end(pipeline, 'a');
  t.deepEqual(await states(pipeline), { a: 'success', b: 'pending', c: 'created' });
});

// Contract: ci-states.play
test.serial('playing makes the caller the user of the job, and stores its variables sealed', async (t) => {
  const pipeline = await pipelineOf('a: {script: x, when: manual}');
  const developer = await app.build.member(pipeline.project, 'developer');
  await pipeline.owner.put(pipeline.path, { ci_pipeline_variables_minimum_override_role: 'developer' });
  await pipeline.owner.delete(`${pipeline.path}/protected_branches/main`);
  const variables = [{ key: 'WHO', value: 'me and nobody' }];
  const params = { job_variables_attributes: variables };
  const bad = await act(
    pipeline,
    'a',
    'play',
    { job_variables_attributes: [{ key: 'a b', value: 'x' }] },
    app.as(developer),
  );
  t.is(bad.status, 400);
  const played = await act(pipeline, 'a', 'play', params, app.as(developer));
  t.is(played.status, 200);
  t.is(played.body.user.id, developer.id);
  const [row] = await app.context().query<{ key: string; value: Buffer; job_id: number }>(sql`
    select key, value, job_id from job_variables where project_id = ${pipeline.project.id}`);
  t.is(row!.key, 'WHO');
  t.false(row!.value.toString('latin1').includes('nobody'));
  t.is(app.services.keys.decrypt(row!.value, `job_variables:${row!.job_id}:WHO`), 'me and nobody');
  const again = await act(pipeline, 'a', 'play');
  t.deepEqual([again.status, again.body], [400, message('400 Bad request - Unplayable Job')]);
});

// Contract: ci-states.play
test.serial('a retry of a job that was started with variables has them too, sealed for itself', async (t) => {
  const pipeline = await pipelineOf('a: {script: x, when: manual, retry: 1}');
  const variables = [{ key: 'WHO', value: 'me and nobody' }];
  await pipeline.owner.put(pipeline.path, { ci_pipeline_variables_minimum_override_role: 'owner' });
  t.is((await act(pipeline, 'a', 'play', { job_variables_attributes: variables })).status, 200);
  const read = async () => {
    const { id } = await find(pipeline, 'a');
    const rows = await app.context().query<{ key: string; value: Buffer }>(sql`
      select key, value from job_variables where job_id = ${id}`);
    return rows.map(({ key, value }) => ({
      key,
      value: app.services.keys.decrypt(value, `job_variables:${id}:${key}`),
    }));
  };
  t.deepEqual(await read(), variables);
  await fail(pipeline, 'a');
  t.deepEqual(await states(pipeline), { a: 'pending' });
  t.deepEqual(await read(), variables);
  await fail(pipeline, 'a');
  t.is((await act(pipeline, 'a', 'retry')).status, 201);
  t.deepEqual(await read(), variables);
  t.is((await listJobs(pipeline, true)).length, 3);
});

// Contract: ci-states.retry-job
test.serial(
  'a retry is a new job of the caller with the same needs; what was skipped after it is open again',
  async (t) => {
    const pipeline = await pipelineOf(`
a: {script: x}
b: {script: x, needs: [a]}
c: {stage: deploy, script: x}
`);
    const early = await act(pipeline, 'a', 'retry');
    t.deepEqual([early.status, early.body], [403, message('403 Forbidden - Job is not retryable')]);
    await fail(pipeline, 'a');
    t.deepEqual(
      [await states(pipeline), await state(pipeline)],
      [{ a: 'failed', b: 'skipped', c: 'skipped' }, 'failed'],
    );
    const old = await find(pipeline, 'a');
    const retried = await act(pipeline, 'a', 'retry');
    t.is(retried.status, 201);
    t.not(retried.body.id, old.id);
    t.deepEqual(await states(pipeline), { a: 'pending', b: 'created', c: 'created' });
    t.is((await pipeline.owner.post(`${pipeline.path}/jobs/${old.id}/retry`)).status, 403);
    await end(pipeline, 'a');
    await end(pipeline, 'b');
    await fail(pipeline, 'c');
    const [retry] = await app.context().query<{ n: number }>(sql`
    select count(*)::int as n from job_needs where pipeline_id = ${pipeline.id}`);
    t.is(retry!.n, 1);
    t.is((await pipeline.owner.post(`${pipeline.path}/pipelines/${pipeline.id}/retry`)).status, 201);
    t.deepEqual(await states(pipeline), { a: 'success', b: 'success', c: 'pending' });
    await end(pipeline, 'c');
    t.is(await state(pipeline), 'success');
  },
);

// Contract: ci-states.cancel
test.serial(
  'a job that runs is canceling where its runner ends it by itself, and canceled at once elsewhere',
  async (t) => {
    const pipeline = await pipelineOf(`
a: {script: x}
b: {script: x}
c: {script: x}
`);
    await run(pipeline, 'a', { graceful: true });
    await run(pipeline, 'b');
    t.like((await act(pipeline, 'a', 'cancel')).body, { status: 'canceling' });
    t.like((await act(pipeline, 'b', 'cancel')).body, { status: 'canceled' });
    const canceled = await act(pipeline, 'c', 'cancel');
    t.is(canceled.status, 201);
    t.like(canceled.body, { status: 'canceled' });
    t.is(await state(pipeline), 'canceling');
    t.like((await act(pipeline, 'a', 'cancel')).body, { status: 'canceling' });
    const developer = await app.build.member(pipeline.project, 'developer');
    await pipeline.owner.delete(`${pipeline.path}/protected_branches/main`);
    t.is((await act(pipeline, 'a', 'cancel', { force: true }, app.as(developer))).status, 403);
    await end(pipeline, 'a');
    t.deepEqual(
      [await states(pipeline), await state(pipeline)],
      [{ a: 'canceled', b: 'canceled', c: 'canceled' }, 'canceled'],
    );
    const forced = await pipelineOf('a: {script: x}');
    await run(forced, 'a', { graceful: true });
    await act(forced, 'a', 'cancel');
    t.like((await act(forced, 'a', 'cancel', { force: true })).body, { status: 'canceled' });
    t.is(await state(forced), 'canceled');
  },
);

// Contract: ci-states.cancel
test.serial('a canceled pipeline has no jobs that wait, and nothing of it is queued', async (t) => {
  const pipeline = await pipelineOf(`
a: {script: x}
b: {script: x, when: delayed, start_in: 1 day}
c: {stage: deploy, script: x}
`);
  const canceled = await pipeline.owner.post(`${pipeline.path}/pipelines/${pipeline.id}/cancel`);
  t.is(canceled.status, 200);
  t.is(canceled.body.status, 'canceled');
  t.deepEqual(await states(pipeline), { a: 'canceled', b: 'canceled', c: 'canceled' });
  const queued = await app.context().query(sql`
    select id from ci_queue where project_id = ${pipeline.project.id}`);
  t.deepEqual(queued, []);
});

// Contract: ci-states.rights
test.serial('who may not run pipelines of the ref changes no job', async (t) => {
  const pipeline = await pipelineOf('a: {script: x}');
  const reporter = app.as(await app.build.member(pipeline.project, 'reporter'));
  for (const action of ['cancel', 'retry', 'play']) t.is((await act(pipeline, 'a', action, {}, reporter)).status, 403);
  await pipeline.owner.put(pipeline.path, { ci_restrict_pipeline_cancellation_role: 'no_one' });
  t.is((await act(pipeline, 'a', 'cancel')).status, 403);
  t.deepEqual(await states(pipeline), { a: 'pending' });
});

// Contract: ci-states.statuses
test.serial('what executors report has no retry and nothing to play', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const { body } = await owner.post(`${path}/statuses/main`, { name: 'scan', state: 'failed' });
  const retried = await owner.post(`${path}/jobs/${body.id}/retry`);
  t.deepEqual([retried.status, retried.body], [403, message('403 Forbidden - Job is not retryable')]);
  const played = await owner.post(`${path}/jobs/${body.id}/play`);
  t.deepEqual([played.status, played.body], [400, message('400 Bad request - Unplayable Job')]);
});

// Contract: ci-states.resource-groups
test.serial('resource groups are listed with their jobs, and their mode decides who is next', async (t) => {
  const project = await app.build.project();
  await configure(project, 'a: {script: x, resource_group: prod/eu}');
  const [first, second, third] = [await start(project), await start(project), await start(project)];
  const { owner, path } = first;
  const groups = await owner.get(`${path}/resource_groups`);
  t.like(groups.body[0], { key: 'prod/eu', process_mode: 'unordered' });
  const group = `${path}/resource_groups/prod%2Feu`;
  t.is((await owner.get(`${group}/current_job`)).body.id, (await find(first, 'a')).id);
  const upcoming = (await owner.get(`${group}/upcoming_jobs`)).body as { id: number }[];
  t.deepEqual(
    upcoming.map(({ id }) => id),
    [(await find(second, 'a')).id, (await find(third, 'a')).id],
  );
  const changed = await owner.put(group, { process_mode: 'newest_first' });
  t.like(changed.body, { process_mode: 'newest_first' });
  t.is((await owner.put(group, { process_mode: 'luck' })).status, 400);
  t.is((await owner.get(`${path}/resource_groups/none`)).status, 404);
  await end(first, 'a');
  t.deepEqual([await states(second), await states(third)], [{ a: 'waiting_for_resource' }, { a: 'pending' }]);
  await act(third, 'a', 'cancel');
  await app.work();
  t.deepEqual(await states(second), { a: 'pending' });
});

// Contract: ci-states.resource-groups
test.serial('a retry has the turn of its pipeline, also in the list of upcoming jobs', async (t) => {
  const project = await app.build.project();
  await configure(project, 'a: {script: x, resource_group: prod}');
  const [first, second, third] = [await start(project), await start(project), await start(project)];
  const { owner, path } = first;
  const group = `${path}/resource_groups/prod`;
  await owner.put(group, { process_mode: 'oldest_first' });
  await act(second, 'a', 'cancel');
  await app.work();
  t.is((await act(second, 'a', 'retry')).status, 201);
  const upcoming = (await owner.get(`${group}/upcoming_jobs`)).body as { id: number }[];
  t.deepEqual(
    upcoming.map(({ id }) => id),
    [(await find(second, 'a')).id, (await find(third, 'a')).id],
  );
  await end(first, 'a');
  t.deepEqual([await states(second), await states(third)], [{ a: 'pending' }, { a: 'waiting_for_resource' }]);
});

// Contract: ci-states.resource-groups
test.serial('an older job that has become manual gives up its turn', async (t) => {
  const project = await app.build.project();
  await configure(
    project,
    `
a: {stage: build, script: x}
b: {stage: deploy, script: x, when: manual, resource_group: prod}
c: {script: x, needs: [], resource_group: prod}
`,
  );
  const first = await start(project);
  await first.owner.put(`${first.path}/resource_groups/prod`, { process_mode: 'oldest_first' });
  const second = await start(project);
  await end(first, 'c');
  t.is((await states(second)).c, 'waiting_for_resource');
  await end(first, 'a');
  t.deepEqual(await states(first), { a: 'success', b: 'manual', c: 'success' });
  t.is((await states(second)).c, 'pending');
});

// Contract: ci-states.auto-cancel
test.serial(
  'a new commit cancels pipelines of its ref, as far as nothing began that must not be interrupted',
  async (t) => {
    const project = await app.build.project();
    await configure(
      project,
      `
a: {script: x, interruptible: true}
b: {script: x}
`,
    );
    const [untouched, begun, other] = [await start(project), await start(project), await start(project)];
    await run(begun, 'a');
    await run(other, 'b');
    await configure(project, 'a: {script: x}');
    await start(project);
    t.deepEqual(await states(untouched), { a: 'canceled', b: 'canceled' });
    t.deepEqual([await states(begun), await state(begun)], [{ a: 'canceled', b: 'canceled' }, 'canceled']);
    t.deepEqual(await states(other), { a: 'pending', b: 'running' });
  },
);

// Contract: ci-states.auto-cancel
test.serial('`interruptible` cancels the jobs that may be, `none` no job', async (t) => {
  const project = await app.build.project();
  const jobs = 'a: {script: x, interruptible: true}\nb: {script: x}';
  await configure(project, `workflow: {auto_cancel: {on_new_commit: interruptible}}\n${jobs}`);
  const partly = await start(project);
  await configure(project, `workflow: {auto_cancel: {on_new_commit: none}}\n${jobs}`);
  const unchanged = await start(project);
  t.deepEqual(await states(partly), { a: 'canceled', b: 'pending' });
  await configure(project, jobs);
  await start(project);
  t.deepEqual(await states(unchanged), { a: 'pending', b: 'pending' });
  t.is((await listJobs(partly)).length, 2);
});

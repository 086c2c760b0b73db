import test from 'ava';
import { sql } from 'kysely';
import { removeOldPipelines, sealJobLogs, tendPipelines } from '../../../shared/ci/ci.jobs.js';
import { prunePipelines } from '../../../shared/ci/job-tending/prune-pipelines.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';
import { processingSteps } from '../processing/processing-steps.js';
import type { TestPipeline } from '../processing/processing-steps.js';

const app = useApp(test);
const { configure, start, pipelineOf, end, act, find, state, run } = processingSteps(app);

// What other tests leave would be removed as well.
test.beforeEach(() => app.context().query(sql`delete from pipelines`));

const DAY = 86_400;
const JOBS = 'a: {script: x}\nb: {script: x, when: manual}\n';

const keepFor = ({ owner, path }: Pick<TestPipeline, 'owner' | 'path'>, seconds: number | null) =>
  owner.put(path, { ci_delete_pipelines_in_seconds: seconds });

const prune = () => prunePipelines(app.context());

const isThere = async ({ owner, path, id }: TestPipeline) =>
  (await owner.get(`${path}/pipelines/${id}`)).status === 200;

/** The commit of a configuration makes a pipeline too, which is skipped. */
const forgetSkipped = () => app.context().query(sql`delete from pipelines where status = 'skipped'`);

async function build(content = JOBS): Promise<TestPipeline> {
  const pipeline = await pipelineOf(content);
  await forgetSkipped();
  return pipeline;
}

/** A finished pipeline of a project that removes pipelines after a day. */
async function buildFinished(): Promise<TestPipeline> {
  const pipeline = await build();
  await keepFor(pipeline, DAY);
  await end(pipeline, 'a');
  return pipeline;
}

const countRows = async ({ id }: TestPipeline): Promise<Record<string, number> | undefined> => {
  const [row] = await app.context().query<Record<string, number>>(sql`
    select (select count(*)::int from jobs j where j.pipeline_id = ${id}) as jobs,
           (select count(*)::int from job_logs l join jobs j on j.id = l.job_id where j.pipeline_id = ${id}) as logs,
           (select count(*)::int from ci_queue q join jobs j on j.id = q.job_id where j.pipeline_id = ${id}) as queued`);
  return row;
};

/** Adds pipelines as old as one. */
const multiply = ({ id }: TestPipeline, more: number) =>
  app.context().query(sql`
    insert into pipelines (project_id, iid, kind, ref, tag, sha, before_sha, status, source, stages, created_at, updated_at)
    select p.project_id, p.iid + n, p.kind, p.ref, p.tag, p.sha, p.before_sha, p.status, p.source, p.stages,
           p.created_at, p.updated_at
      from pipelines p, generate_series(1, ${more}::int) n where p.id = ${id}`);

// Contract: delivery-3.retention
test.serial(
  'a finished pipeline goes with jobs, logs and ref once it is older than its project keeps it',
  async (t) => {
    const old = await build();
    await keepFor(old, 2 * DAY);
    const { id: jobId } = await find(old, 'a');
    await run(old, 'a');
    await app
      .withHeaders({ 'JOB-TOKEN': `run ${jobId}`, 'Content-Range': '0-' })
      .raw('PATCH', `/api/v4/jobs/${jobId}/trace`, 'done\n' as never, 'text/plain');
    await end(old, 'a');
    await app.services.jobs.send(sealJobLogs, { job_id: jobId });
    await app.work();
    const [object] = await app.context().query<{ id: number }>(sql`
    select l.object_id as id from job_logs l where l.job_id = ${jobId}`);
    t.truthy(object?.id);
    app.clock.advance('1 day');
    const young = await start(old.project);
    await end(young, 'a');
    app.clock.advance('1 day');
    t.is(await prune(), 0);
    app.clock.advance('1 second');
    await app.services.jobs.send(removeOldPipelines, {});
    await app.work();
    t.deepEqual([await isThere(old), await isThere(young)], [false, true]);
    t.deepEqual(await countRows(old), { jobs: 0, logs: 0, queued: 0 });
    const [released] = await app
      .context()
      .query(sql`select o.id from stored_objects o where o.id = ${object?.id} and o.removed_at is null`);
    t.is(released, undefined);
    app.clock.advance('10 minutes');
    await app.services.jobs.send(tendPipelines, {});
    await app.work();
    const refs = plainGit(getRepositoryPath(app.context(), old.project), ['for-each-ref', 'refs/pipelines']);
    t.false(refs.includes(`refs/pipelines/${old.id}\n`));
    const { body } = await old.owner.get(`${old.path}/audit_events`);
    const [noted] = body as { event_name: string; author_id: number; details: Record<string, unknown> }[];
    t.like(noted, { event_name: 'pipeline_destroyed', details: { author_name: 'The service', target_id: old.id } });
    app.clock.advance('1 day');
    t.is(await prune(), 1);
    t.false(await isThere(young));
  },
);

// Contract: delivery-3.retention
test.serial('pipelines that are not over stay, and so do records and those of other projects', async (t) => {
  const [running, manual, canceled, other] = [
    await build(),
    await build('b: {script: x, when: manual, allow_failure: false}\n'),
    await build(),
    await build(),
  ];
  for (const pipeline of [running, manual, canceled]) await keepFor(pipeline, DAY);
  await run(running, 'a');
  await act(canceled, 'a', 'cancel');
  await end(other, 'a');
  await app.work();
  t.deepEqual([await state(running), await state(manual), await state(canceled)], ['pending', 'manual', 'canceled']);
  const sha = (await canceled.owner.get(`${canceled.path}/repository/commits?ref_name=main`)).body[1].id as string;
  const report = { name: 'outside', state: 'success' };
  const { body } = await canceled.owner.post(`${canceled.path}/statuses/${sha}`, report);
  const record = { ...canceled, id: body.pipeline_id as number };
  t.is(await state(record), 'success');
  app.clock.advance('2 days');
  t.is(await prune(), 1);
  t.false(await isThere(canceled));
  for (const pipeline of [running, manual, other, record]) t.true(await isThere(pipeline));
  await end(running, 'a');
  await keepFor(manual, null);
  t.is(await prune(), 1);
  t.true(await isThere(manual));
});

// Contract: delivery-3.retention
test.serial('a pipeline that is tried again as it is about to be removed stays', async (t) => {
  const pipeline = await buildFinished();
  app.clock.advance('2 days');
  t.is((await act(pipeline, 'a', 'retry')).status, 201);
  t.is(await state(pipeline), 'pending');
  t.is(await prune(), 0);
  // As if the pipeline itself still said that it is over.
  await app.context().query(sql`update pipelines set status = 'success' where id = ${pipeline.id}`);
  t.is(await prune(), 0);
  t.deepEqual(await countRows(pipeline), { jobs: 3, logs: 0, queued: 1 });
  await end(pipeline, 'a');
  t.is(await prune(), 1);
});

// Contract: delivery-3.retention
test.serial('a removal waits for the retry that is under way, and leaves its pipeline', async (t) => {
  const pipeline = await buildFinished();
  app.clock.advance('2 days');
  const hold = app.heldRuns.hold('pipelines.pruning');
  const pruned = prune();
  await hold.reached;
  t.is((await act(pipeline, 'a', 'retry')).status, 201);
  hold.release();
  t.is(await pruned, 0);
  t.true(await isThere(pipeline));
  await end(pipeline, 'a');
  t.is(await prune(), 1);
});

// Contract: delivery-3.retention
test.serial('a project that is archived or marked for deletion keeps its pipelines', async (t) => {
  const pipeline = await buildFinished();
  app.clock.advance('2 days');
  await pipeline.owner.post(`${pipeline.path}/archive`);
  t.is(await prune(), 0);
  await pipeline.owner.post(`${pipeline.path}/unarchive`);
  await pipeline.owner.delete(pipeline.path);
  t.is(await prune(), 0);
  await pipeline.owner.post(`${pipeline.path}/restore`);
  t.is(await prune(), 1);
});

// Contract: delivery-3.retention
test.serial('a deployment outlives the pipeline whose job made it', async (t) => {
  const pipeline = await buildFinished();
  const { body: commit } = await pipeline.owner.get(`${pipeline.path}/repository/commits/main`);
  const { status, body } = await pipeline.owner.post(`${pipeline.path}/deployments`, {
    environment: 'production',
    sha: commit.id,
    ref: 'main',
    tag: false,
    status: 'success',
  });
  t.is(status, 201);
  const { id: jobId } = await find(pipeline, 'a');
  await app.context().query(sql`update deployments set job_id = ${jobId} where id = ${body.id}`);
  app.clock.advance('2 days');
  t.is(await prune(), 1);
  t.like((await pipeline.owner.get(`${pipeline.path}/deployments/${body.id}`)).body, { status: 'success' });
});

// Contract: delivery-3.retention
test.serial('many pipelines go in steps, each with as many statements as for one', async (t) => {
  const counts: number[] = [];
  for (const size of [1, 1, 15]) {
    const project = await app.build.project();
    await configure(project, JOBS);
    const first = await start(project);
    await forgetSkipped();
    await keepFor(first, DAY);
    await end(first, 'a');
    for (let index = 1; index < size; index += 1) await end(await start(project), 'a');
    app.clock.advance('2 days');
    counts.push(await app.statementsOf(async () => t.is(await prune(), size)));
  }
  t.is(counts[2], counts[1]);
  t.log(counts);
  const pipeline = await buildFinished();
  // More than one project may have removed in one run, and more than one transaction removes.
  await multiply(pipeline, 299);
  app.clock.advance('2 days');
  t.deepEqual([await prune(), await prune(), await prune()], [250, 50, 0]);
});

// Contract: delivery-3.retention
test.serial('a pipeline that cannot be removed keeps no others', async (t) => {
  const pipeline = await buildFinished();
  await multiply(pipeline, 14);
  app.clock.advance('2 days');
  const listLeft = () => app.context().query<{ id: number }>(sql`select id from pipelines`);
  await app.context().query(sql`create table keepers (pipeline_id bigint references pipelines (id))`);
  try {
    await app.context().query(sql`insert into keepers values (${pipeline.id})`);
    await t.throwsAsync(prune());
  } finally {
    await app.context().query(sql`drop table keepers`);
  }
  t.deepEqual(await listLeft(), [{ id: pipeline.id }]);
  t.is(await prune(), 1);
});

// Contract: delivery-3.retention
test.serial('projects take turns', async (t) => {
  for (const pipeline of [await buildFinished(), await buildFinished()]) await multiply(pipeline, 14);
  app.clock.advance('2 days');
  const first = app.heldRuns.hold('pipelines.pruning');
  const pruned = prune();
  await first.reached;
  const second = app.heldRuns.hold('pipelines.pruning');
  first.release();
  await second.reached;
  const left = await app
    .context()
    .query<{ count: number }>(sql`select count(*)::int from pipelines group by project_id order by project_id`);
  second.release();
  // The first 20 were the oldest ten of each.
  t.deepEqual(left, [{ count: 5 }, { count: 5 }]);
  t.is(await pruned, 30);
});

// Contract: delivery-3.retention
test('Owners alone set the age, between a day and a year', async (t) => {
  const project = await app.build.project({ empty: true });
  const owner = app.as(project.owner);
  const maintainer = app.as(await app.build.member(project, 'maintainer'));
  const path = `/projects/${project.id}`;
  t.is((await owner.get(path)).body.ci_delete_pipelines_in_seconds, null);
  for (const [seconds, problem] of [
    [DAY - 1, 'must be greater than or equal to 86400'],
    [365 * DAY + 1, 'must be less than or equal to 31536000'],
  ] as const) {
    const { status, body } = await keepFor({ owner, path }, seconds);
    t.deepEqual([status, body], [400, { message: { ci_delete_pipelines_in_seconds: [problem] } }]);
  }
  for (const seconds of [DAY, 365 * DAY, null]) {
    const { status, body } = await keepFor({ owner, path }, seconds);
    t.deepEqual([status, body.ci_delete_pipelines_in_seconds], [200, seconds]);
  }
  t.is((await keepFor({ owner: maintainer, path }, DAY)).status, 403);
  t.is((await maintainer.put(path, { ci_default_git_depth: 5 })).status, 200);
});

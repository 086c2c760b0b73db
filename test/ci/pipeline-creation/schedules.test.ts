import test from 'ava';
import { sql } from 'kysely';
import { detectConfigurations, pruneConfigurations } from '../../../shared/ci/pipeline-creation/find-configurations.js';
import { gitStarts } from '../../../shared/git/index.js';
import type { GitStart } from '../../../shared/git/index.js';
import { openRepository } from '../../../shared/repositories/repositories/write-refs.js';
import { UserCaller } from '../../../shared/core/context/callers.js';
import { runConfigured } from '../../../shared/ci/pipeline-schedule-runs/run-configured.js';
import { loadPending } from '../../../shared/ci/pipeline-schedule-runs/run-decision.js';
import type { NewPipeline } from '../../../shared/ci/pipelines/insert-pipelines.js';
import { runSchedules } from '../../../shared/ci/pipeline-schedule-runs/run-schedules.js';
import { tickSchedules } from '../../../shared/ci/pipeline-schedules/tick-schedules.js';
import { useApp } from '../../core/app.js';
import { create, getPath, ring } from '../pipeline-schedules/schedule-steps.js';
import { runNextJob } from '../runner-protocol/scripted-runner.js';
import { writeConfiguration } from './configuration-steps.js';

const app = useApp(test);

async function scheduled(content: string | null, more: object = {}) {
  const project = await app.build.project();
  const client = app.as(project.owner);
  if (content !== null) await writeConfiguration(client, project, content, '[skip ci] Configuration');
  const { body, text, status } = await create(client, project, { cron: '0 * * * *', ...more });
  if (status !== 201) throw new Error(text);
  const one = getPath(project, `/${body.id}`);
  await app.work();
  const readRun = async () => (await client.get(`${one}/runs`)).body[0];
  const readPipelines = async () => (await client.get(`/projects/${project.id}/pipelines`)).body;
  const readJobs = async (id: number) => (await client.get(`/projects/${project.id}/pipelines/${id}/jobs`)).body;
  return { project, client, one, id: body.id as number, readRun, readPipelines, readJobs };
}

const inAnHour = async () => {
  app.clock.advance('1 hour');
  await ring(app);
};

// Contract: ci-pipelines.file
test.serial('vector 1: a schedule of a project without a file makes a record', async (t) => {
  const { readRun, readPipelines, readJobs } = await scheduled(null);
  await inAnHour();
  t.like(await readRun(), { state: 'fired', outcome: 'on_time', first_job: null, first_log_at: null });
  const [pipeline] = await readPipelines();
  t.like(pipeline, { source: 'scheduled', status: 'pending' });
  t.deepEqual(await readJobs(pipeline.id), []);
});

const BY_SOURCE = [
  'night:',
  '  script: run $DEPTH',
  '  rules:',
  '    - if: $CI_PIPELINE_SOURCE == "schedule"',
  'day:',
  '  script: y',
  '  rules:',
  '    - if: $CI_PIPELINE_SOURCE == "push"',
  'changed:',
  '  script: z',
  '  rules:',
  '    - changes: [nowhere/**]',
].join('\n');

// Contract: ci-pipelines.schedules, ci-pipelines.explain
test.serial(
  'vectors 20, 28, 62: a schedule has the jobs whose rules fit it, whatever the message of the commit says, and the explanation shows why',
  async (t) => {
    const { project, client, readRun, readPipelines, readJobs } = await scheduled(BY_SOURCE);
    t.deepEqual(
      (await readPipelines()).map(({ status, source }: Record<string, string>) => [source, status]),
      [['push', 'skipped']],
    );
    await inAnHour();
    const [pipeline] = await readPipelines();
    t.is(pipeline.source, 'scheduled');
    const jobs = await readJobs(pipeline.id);
    t.deepEqual(
      jobs.map(({ name }: { name: string }) => name),
      ['changed', 'night'],
    );
    const run = await readRun();
    t.like(run, { state: 'fired', pipeline_id: pipeline.id, first_log_at: null });
    t.is(run.first_job.name, 'night');
    const { status, body, text } = await client.get(`/projects/${project.id}/pipelines/${pipeline.id}/explain`);
    t.is(status, 200, text);
    t.deepEqual(
      body.excluded.map(({ name, why }: Record<string, string>) => [name, why]),
      [['day', 'No rule matched.']],
    );
    const [rule] = body.excluded[0].explanation;
    t.is(rule.result, 'no_match');
    t.deepEqual(rule.because[0].operands, [{ name: 'CI_PIPELINE_SOURCE', value: 'schedule' }]);
    t.regex(body.configuration.blob_id, /^[0-9a-f]{40}$/);
    const { body: job } = await client.get(`/projects/${project.id}/jobs/${run.first_job.id}/explain`);
    t.like(job, { name: 'night', pipeline_id: pipeline.id });
    t.is(job.explanation[0].result, 'match');
    const runner = await client.post('/user/runners', { runner_type: 'project_type', project_id: project.id });
    const ran: string[] = [];
    await app.work();
    for (let nextJob = await runNextJob(app.anonymous, runner.body.token); nextJob;) {
      ran.push(nextJob.job_info.name);
      await app.work();
      nextJob = await runNextJob(app.anonymous, runner.body.token);
    }
    t.deepEqual(ran.sort(), ['changed', 'night']);
    t.deepEqual(
      (await readPipelines()).map(({ status, source }: Record<string, string>) => [source, status]),
      [
        ['scheduled', 'success'],
        ['push', 'skipped'],
      ],
    );
    t.deepEqual(
      (await readJobs(pipeline.id)).map(({ status }: { status: string }) => status),
      ['success', 'success'],
    );
    await app.build.member(project, 'guest').then(async (guest) => {
      const path = `/projects/${project.id}/pipelines/${pipeline.id}/explain`;
      t.true([403, 404].includes((await app.as(guest).get(path)).status));
    });
  },
);

// Contract: ci-pipelines.filtered
test.serial('vector 21: a schedule without a job to run makes no pipeline, and its run says so', async (t) => {
  const { client, one, readRun, readPipelines } = await scheduled(
    'day: {script: y, rules: [{if: $CI_PIPELINE_SOURCE == "never"}]}\n',
  );
  await inAnHour();
  t.like(await readRun(), {
    state: 'filtered',
    outcome: 'filtered',
    pipeline_id: null,
    reason:
      'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.',
  });
  t.deepEqual(
    (await readPipelines()).filter(({ source }: { source: string }) => source === 'scheduled'),
    [],
  );
  t.is((await client.get(one)).body.active, true);
});

// Contract: ci-pipelines.inputs
test.serial('vector 41: an input of the wrong type fails the run, and the schedule stays active', async (t) => {
  const content = ['spec:', '  inputs:', '    n: {type: number}', '---', 'a: {script: "echo $[[ inputs.n ]]"}'].join(
    '\n',
  );
  const { client, one, project, readRun } = await scheduled(content, { inputs: [{ name: 'n', value: 'abc' }] });
  await inAnHour();
  const run = await readRun();
  t.like(run, { state: 'config_error', reason: '`n` input: provided value is not a number' });
  const { body: pipeline } = await client.get(`/projects/${project.id}/pipelines/${run.pipeline_id}`);
  t.like(pipeline, { status: 'failed', yaml_errors: '`n` input: provided value is not a number' });
  t.is((await client.get(one)).body.active, true);
});

// Contract: ci-pipelines.schedules
test.serial('two workers make one pipeline of a run with a configuration', async (t) => {
  const { id, readPipelines } = await scheduled('a: {script: x}\n');
  app.clock.advance('1 hour');
  await tickSchedules(app.context());
  const runs = await app.context().query<{ id: number }>(sql`
    select x.id from pipeline_schedule_runs x where x.pipeline_schedule_id = ${id} and x.state = 'pending'`);
  const ids = runs.map((run) => run.id);
  const failed = await Promise.all([1, 2, 3].map(() => runSchedules(app.context(), ids)));
  t.deepEqual(failed.flat(), []);
  t.deepEqual(await runSchedules(app.context(), ids), []);
  t.is((await readPipelines()).filter(({ source }: { source: string }) => source === 'scheduled').length, 1);
  await app.work();
});

// Contract: ci-pipelines.schedules
test.serial('a run whose schedule gets another owner while it is compiled is tried again for that one', async (t) => {
  const { project, id, one, readRun, readPipelines } = await scheduled('a: {script: x}\n');
  app.clock.advance('1 hour');
  const ctx = app.context();
  await tickSchedules(ctx);
  const rows = await ctx.query<{ id: number }>(sql`
    select x.id from pipeline_schedule_runs x where x.pipeline_schedule_id = ${id} and x.state = 'pending'`);
  const runIds = rows.map((row) => row.id);
  const [run] = await ctx.transaction(() => loadPending(ctx, runIds));
  const former = ctx.as(new UserCaller({ ...run!.user!, namespace_id: null }));
  const maintainer = await app.build.member(project, 'maintainer');
  t.is((await app.as(maintainer).post(`${one}/take_ownership`)).status, 201);
  const pipeline: NewPipeline = {
    project_id: project.id,
    ref: 'refs/heads/main',
    sha: run!.target_sha!,
    source: 'schedule',
    user_id: former.caller.id,
    pipeline_schedule_id: id,
    variables: [],
    inputs: null,
  };
  await t.throwsAsync(runConfigured(former, [{ run: run!, pipeline }]), { message: /another owner/ });
  t.is((await readRun()).state, 'pending');
  await app.work();
  const scheduledPipelines = (await readPipelines()).filter(({ source }: { source: string }) => source === 'scheduled');
  t.is(scheduledPipelines.length, 1);
  t.is(
    (await app.as(maintainer).get(`/projects/${project.id}/pipelines/${scheduledPipelines[0].id}`)).body.user.id,
    maintainer.id,
  );
});

for (const [what, content] of [
  ['the same commit', null],
  ['a commit of its own', 'b: {script: y}\n'],
] as const)
  // Contract: ci-pipelines.schedules
  test.serial(`a run whose schedule gets another branch while it is compiled is one of that: ${what}`, async (t) => {
    const { project, client, id, one, readPipelines, readJobs } = await scheduled('a: {script: x}\n');
    const created = await client.post(`/projects/${project.id}/repository/branches`, {
      branch: 'feature',
      ref: 'main',
    });
    t.is(created.status, 201, created.text);
    if (content !== null)
      await client.put(`/projects/${project.id}/repository/files/.gitlab-ci.yml`, {
        branch: 'feature',
        commit_message: '[skip ci] Another',
        content,
      });
    await app.work();
    app.clock.advance('1 hour');
    const ctx = app.context();
    await tickSchedules(ctx);
    const rows = await ctx.query<{ id: number }>(sql`
      select x.id from pipeline_schedule_runs x where x.pipeline_schedule_id = ${id} and x.state = 'pending'`);
    const [run] = await ctx.transaction(() =>
      loadPending(
        ctx,
        rows.map((row) => row.id),
      ),
    );
    t.is((await client.put(one, { ref: 'refs/heads/feature' })).status, 200);
    const owner = ctx.as(new UserCaller({ ...run!.user!, namespace_id: null }));
    const pipeline: NewPipeline = {
      project_id: project.id,
      ref: 'refs/heads/main',
      sha: run!.target_sha!,
      source: 'schedule',
      user_id: owner.caller.id,
      pipeline_schedule_id: id,
      variables: [],
      inputs: null,
    };
    await runConfigured(owner, [{ run: run!, pipeline }]);
    const { body: branch } = await client.get(`/projects/${project.id}/repository/branches/feature`);
    const [last] = (await readPipelines()).filter(({ source }: { source: string }) => source === 'scheduled');
    t.like(last, { ref: 'feature', sha: branch.commit.id });
    const jobs = await readJobs(last.id);
    t.deepEqual(
      jobs.map(({ name }: { name: string }) => name),
      [content === null ? 'a' : 'b'],
    );
    // `main` is protected.
    const stored = await ctx.query(sql`select distinct j.protected from jobs j where j.pipeline_id = ${last.id}`);
    t.deepEqual(stored, [{ protected: false }]);
    await app.work();
  });

test.serial('a run that fails does not hold up those that are made with it', async (t) => {
  const { client, project, id, readPipelines } = await scheduled('a: {script: x}\n');
  for (let more = 0; more < 2; more += 1) await create(client, project, { cron: '0 * * * *' });
  app.clock.advance('1 hour');
  const ctx = app.context();
  await tickSchedules(ctx);
  const runs = await ctx.query<{ id: number; schedule: number }>(sql`
    select x.id, x.pipeline_schedule_id as schedule from pipeline_schedule_runs x
     where x.project_id = ${project.id} and x.state = 'pending'`);
  const runIds = runs.map((run) => run.id);
  const count = async () =>
    (await readPipelines()).filter(({ source }: { source: string }) => source === 'scheduled').length;
  const constraint = sql.raw(`add constraint no_pipeline check (pipeline_schedule_id <> ${id}) not valid`);
  await ctx.query(sql`alter table pipelines ${constraint}`);
  try {
    const failed = await runSchedules(app.context(), runIds);
    t.deepEqual(
      failed.map((run) => run.run_id),
      runs.filter((run) => run.schedule === id).map((run) => run.id),
    );
    t.is(await count(), 2);
  } finally {
    await ctx.query(sql`alter table pipelines drop constraint no_pipeline`);
  }
  t.deepEqual(await runSchedules(app.context(), runIds), []);
  t.is(await count(), 3);
  await app.work();
});

test.serial(
  'schedules of one commit make their pipelines together, and read it and its configuration once',
  async (t) => {
    const { client, project, readPipelines } = await scheduled('a: {script: x, rules: [{exists: [README.md]}]}\n');
    for (let more = 0; more < 3; more += 1) await create(client, project, { cron: '0 * * * *' });
    const commands: string[] = [];
    const path = openRepository(app.context(), project);
    const hear = (start: unknown) => {
      const { repository, command } = start as GitStart;
      if (repository === path) commands.push(command);
    };
    gitStarts.subscribe(hear);
    try {
      await inAnHour();
      await inAnHour();
    } finally {
      gitStarts.unsubscribe(hear);
    }
    t.is((await readPipelines()).filter(({ source }: { source: string }) => source === 'scheduled').length, 8);
    // The push has made a pipeline. The paths of the commit are read once, the refs of each hour are written at once.
    t.deepEqual(commands, ['ls-tree', 'update-ref', 'update-ref']);
  },
);

test.serial('a commit is looked at for a configuration once', async (t) => {
  const { project } = await scheduled(null);
  await inAnHour();
  await inAnHour();
  const rows = await app.context().query<{ blob_id: string | null }>(sql`
    select f.blob_id from ci_config_files f where f.project_id = ${project.id}`);
  t.deepEqual(rows, [{ blob_id: null }]);
});

test.serial('a commit that could not be looked at is looked at again soon', async (t) => {
  const project = await app.build.project();
  const sha = '1'.repeat(40);
  await detectConfigurations(app.context(), [{ project_id: project.id, sha, path: '.gitlab-ci.yml' }]);
  const count = async () => {
    const rows = await app.context().query(sql`
      select f.blob_id from ci_config_files f where f.project_id = ${project.id} and f.sha = ${sha}`);
    return rows.length;
  };
  await pruneConfigurations(app.context());
  t.is(await count(), 1);
  app.clock.advance('11 minutes');
  await pruneConfigurations(app.context());
  t.is(await count(), 0);
});

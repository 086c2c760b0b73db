import test from 'ava';
import { sql } from 'kysely';
import { claimJob } from '../../../shared/ci/job-handouts/claim-job.js';
import { TestApp, useApp } from '../../core/app.js';
import { buildRunner, queueJobs } from './queue-steps.js';
import type { BuiltRunner } from './queue-steps.js';

const app = useApp(test);
const beside = new TestApp([], { beside: app });

test.before(() => beside.start());
test.after.always(() => beside.stop());

const ROUNDS = 50;
const RUNNERS = 12;
const JOBS = 240;

const claim = (at: TestApp, { runner, manager }: BuiltRunner) => claimJob(at.context(), runner, manager);

// Contract: ci-job-queue.once
test.serial(
  'vector 43: of two runners that ask at the same time of different processes one gets the job',
  async (t) => {
    const project = await app.build.project();
    const options = { runner_type: 'project_type', projects: [project] } as const;
    const [one, other] = [await buildRunner(app, options), await buildRunner(app, options)];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [id] = (await queueJobs(app, project, 1)) as [number];
      const answers = await Promise.all([claim(app, one), claim(beside, other)]);
      const claims = answers.filter((answer) => answer !== null && answer !== 'lost');
      t.deepEqual(
        claims.map(({ job_id }) => job_id),
        [id],
      );
    }
  },
);

// Contract: ci-job-queue.once
test.serial('many runners of two processes get every job once', async (t) => {
  const projects = [await app.build.project(), await app.build.project(), await app.build.project()];
  const tag_list = ['many'];
  const ids = (await Promise.all(projects.map((project) => queueJobs(app, project, JOBS / 3, { tag_list })))).flat();
  const runners = await Promise.all(
    Array.from({ length: RUNNERS }, () => buildRunner(app, { tag_list, run_untagged: false })),
  );
  const claimed: number[] = [];
  await Promise.all(
    runners.map(async (built, index) => {
      for (;;) {
        const answer = await claim(index % 2 === 0 ? app : beside, built);
        if (answer === null) return;
        if (answer !== 'lost') claimed.push(answer.job_id);
      }
    }),
  );
  t.deepEqual(
    claimed.toSorted((one, two) => one - two),
    ids.toSorted((one, two) => one - two),
  );
  const [tokens] = await app.context().query<{ count: number }>(sql`
    select count(distinct token_digest) as count from job_runs where job_id = any(${ids}::bigint[])`);
  t.is(tokens?.count, JOBS);
});

// Contract: ci-job-queue.once
test.serial('a hand-out whose process or database connection fails leaves the job to others', async (t) => {
  const project = await app.build.project();
  const options = { runner_type: 'project_type', projects: [project] } as const;
  const [failing, other] = [await buildRunner(app, options), await buildRunner(app, options)];
  const [id] = (await queueJobs(app, project, 1)) as [number];
  const failures = [
    () => Promise.reject(new Error('The process ends here.')),
    async () => {
      // While one has the job nobody else gets it.
      t.is(await claim(app, other), 'lost');
      await app.context().query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`);
    },
  ];
  for (const reach of failures) {
    beside.services.holdPoints = { reach };
    await t.throwsAsync(claim(beside, failing));
  }
  beside.services.holdPoints = undefined;
  t.like(await claim(app, other), { job_id: id });
  const [counted] = await app.context().query<{ runs: number; handouts: number }>(sql`
    select (select count(*) from job_runs where job_id = j.id) as runs, handouts from jobs j where id = ${id}`);
  t.deepEqual(counted, { runs: 1, handouts: 1 });
});

test.serial('a job of a pipeline that is running does not have it processed again', async (t) => {
  const project = await app.build.project();
  const built = await buildRunner(app, { runner_type: 'project_type', projects: [project] });
  await queueJobs(app, project, 2);
  const countProcessing = async () => {
    const [row] = await app.context().query<{ count: number }>(sql`
      select count(*) as count from pgboss.job where name = 'pipelines.process' and state < 'active'`);
    return row?.count;
  };
  await app.work();
  const claimed = await claim(app, built);
  t.is(await countProcessing(), 1);
  await app.work();
  const [pipeline] = await app.context().query<{ status: string }>(sql`
    select status from pipelines where id = ${(claimed as { pipeline_id: number }).pipeline_id}`);
  t.is(pipeline?.status, 'running');
  await claim(app, built);
  t.is(await countProcessing(), 0);
});

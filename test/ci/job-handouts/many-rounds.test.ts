import test from 'ava';
import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { enqueueJobs } from '../../../shared/ci/job-queue/enqueue-jobs.js';
import { LIMITS_OFF } from '../../core/app.js';
import { Client } from '../../core/client.js';
import type { Answer } from '../../core/client.js';
import { startService } from '../../core/processes.js';
import type { StartedService } from '../../core/processes.js';
import { openStage } from '../../core/stage.js';
import type { Stage } from '../../core/stage.js';
import { queueJobs } from './queue-steps.js';

// A long test: runners ask two processes for jobs ten thousand times.
// A process of its own: starts two API processes.

const ROUNDS = 10_000;
/** Rounds that go on at the same time, each with a project and two runners of its own. */
const SERIES = 4;
const FLOOD = 1_500;
const FLOOD_PROJECTS = 5;
const FLOOD_RUNNERS = 16;

interface Site {
  service: StartedService;
  stage: Stage;
  /** A client of each process. */
  processes: readonly [Client, Client];
}

/** Two API processes of one database, and nothing that processes pipelines. */
async function startSite(t: ExecutionContext): Promise<Site> {
  const service = await startService(t, { workers: 0 });
  const first = new Client(service.url, {});
  await service.startApi();
  const settings = await service.root.put('/application/settings', LIMITS_OFF);
  t.is(settings.status, 200, settings.text);
  return { service, stage: await openStage(t, service), processes: [first, new Client(service.url, {})] };
}

async function createProject({ root }: StartedService, name: string): Promise<{ id: number; owner: { id: number } }> {
  const { status, body, text } = await root.post('/projects', { name, initialize_with_readme: true });
  if (status !== 201) throw new Error(text);
  return { id: body.id as number, owner: { id: body.creator_id as number } };
}

async function createRunner({ root }: StartedService, options: object): Promise<string> {
  const { status, body, text } = await root.post('/user/runners', options);
  if (status !== 201) throw new Error(text);
  return body.token as string;
}

const requestJob = (client: Client, token: string): Promise<Answer> =>
  client.post('/jobs/request', { token, system_id: 's_1', info: { features: {} } });

/** Jobs of a pipeline that wait for nothing yet. */
async function createJobs(stage: Stage, project: { id: number; owner: { id: number } }, count: number) {
  const ids = await queueJobs(stage, project, count);
  const ctx = stage.context();
  await ctx.query(sql`delete from ci_queue where job_id = any(${ids}::bigint[])`);
  await ctx.query(sql`update jobs set status = 'created' where id = any(${ids}::bigint[])`);
  return ids;
}

/** Each job was handed out once, with a token of its own, and none is queued. */
async function requireHandedOutOnce(t: ExecutionContext, stage: Stage, ids: readonly number[]): Promise<void> {
  const [counted] = await stage.context().query<object>(sql`
    select count(*)::int as jobs, count(*) filter (where j.status = 'running')::int as running,
        sum(j.handouts)::int as handouts, count(distinct r.token_digest)::int as tokens,
        (select count(*)::int from ci_queue where job_id = any(${ids}::bigint[])) as queued
      from jobs j left join job_runs r on r.job_id = j.id where j.id = any(${ids}::bigint[])`);
  const { length } = ids;
  t.deepEqual({ ...counted }, { jobs: length, running: length, handouts: length, tokens: length, queued: 0 });
}

// Contract: ci-job-queue.once
test.serial(
  'vector 43: ten thousand times two runners ask two processes for one job: one gets it, the other nothing',
  async (t) => {
    // Each round is an assertion, with which it begins anew.
    t.timeout(600_000);
    const site = await startSite(t);
    const { service, stage, processes } = site;
    const answers: Record<string, number> = {};
    const prepareSeries = async (name: string) => {
      const project = await createProject(service, name);
      const options = { runner_type: 'project_type', project_id: project.id };
      const tokens = [await createRunner(service, options), await createRunner(service, options)] as const;
      return { tokens, ids: await createJobs(stage, project, ROUNDS / SERIES) };
    };
    const runSeries = async ({ tokens, ids }: Awaited<ReturnType<typeof prepareSeries>>) => {
      for (const id of ids) {
        const ctx = stage.context();
        await ctx.transaction(async () => {
          await ctx.query(sql`update jobs set status = 'pending' where id = ${id}`);
          await enqueueJobs(ctx, [id]);
        });
        const both = await Promise.all([requestJob(processes[0], tokens[0]), requestJob(processes[1], tokens[1])]);
        const statuses = both.map(({ status }) => status).sort();
        const got = both.filter(({ status }) => status === 201).map(({ body }) => body.id as number);
        t.deepEqual(got, [id], statuses.join());
        t.true([204, 409].includes(statuses.find((one) => one !== 201) ?? 0), statuses.join());
        answers[statuses.join()] = (answers[statuses.join()] ?? 0) + 1;
      }
    };
    const series = [];
    while (series.length < SERIES) series.push(await prepareSeries(`Series ${series.length}`));
    await Promise.all(series.map(runSeries));
    await requireHandedOutOnce(
      t,
      stage,
      series.flatMap(({ ids }) => ids),
    );
    t.log(JSON.stringify(answers));
  },
);

// Contract: ci-job-queue.once
test.serial('many runners of two processes work off a flood: each job once, and none is left', async (t) => {
  t.timeout(600_000);
  const { service, stage, processes } = await startSite(t);
  const tokens: string[] = [];
  while (tokens.length < FLOOD_RUNNERS)
    tokens.push(await createRunner(service, { runner_type: 'instance_type', run_untagged: true }));
  const ids: number[] = [];
  for (let count = 0; count < FLOOD_PROJECTS; count += 1)
    ids.push(...(await queueJobs(stage, await createProject(service, `Flood ${count}`), FLOOD / FLOOD_PROJECTS)));
  const handed: number[] = [];
  let lost = 0;
  await Promise.all(
    tokens.map(async (token, index) => {
      for (;;) {
        const { status, body, text } = await requestJob(processes[index % 2] as Client, token);
        if (status === 204) return;
        if (status === 201) handed.push(body.id as number);
        else if (status === 409) lost += 1;
        else throw new Error(`${status}: ${text}`);
      }
    }),
  );
  const sorted = (list: readonly number[]) => list.toSorted((one, other) => one - other);
  t.deepEqual(sorted(handed), sorted(ids));
  await requireHandedOutOnce(t, stage, ids);
  t.log(`${lost} requests came too late`);
});

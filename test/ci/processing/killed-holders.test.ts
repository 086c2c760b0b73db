import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { tendPipelineJobs } from '../../../shared/ci/ci.jobs.js';
import { LIMITS_OFF } from '../../core/app.js';
import { eventually, startService } from '../../core/processes.js';
import type { StartedService } from '../../core/processes.js';
import { openStage } from '../../core/stage.js';
import {
  describeLog,
  printSteps,
  reportJob,
  runNextJob,
  sendLog,
  takeJob,
} from '../runner-protocol/scripted-runner.js';
import type { RunnerJob } from '../runner-protocol/scripted-runner.js';
import { createLog } from './runner-ledger.js';

// A long test: processes are killed and waited for.
// A process of its own: processes are killed and waited for.

const FILE = `
deploy: {stage: test, resource_group: production, script: [work]}
after: {stage: deploy, script: [more]}
`;

/** A service with one API process and one worker, and a project whose pipelines want one resource. */
class Site {
  private constructor(
    readonly service: StartedService,
    readonly path: string,
    readonly token: string,
  ) {}

  static async start(t: ExecutionContext, file: string, settings: object = {}): Promise<Site> {
    const service = await startService(t);
    service.database.on('error', () => undefined);
    const { root } = service;
    const set = await root.put('/application/settings', { ...LIMITS_OFF, ...settings });
    t.is(set.status, 200, set.text);
    const { id } = (await root.post('/projects', { name: 'Sturdy', initialize_with_readme: true })).body;
    const commit = { branch: 'main', commit_message: 'Jobs [skip ci]', content: file };
    await root.post(`/projects/${id}/repository/files/.gitlab-ci.yml`, commit);
    const runner = await root.post('/user/runners', { runner_type: 'instance_type', run_untagged: true });
    return new Site(service, `/projects/${id}`, runner.body.token as string);
  }

  /** Starts a pipeline, whose file a busy machine may fail to compile in time at first. */
  startPipeline(): Promise<number> {
    return eventually(async () => {
      const { status, body, text } = await this.service.root.post(`${this.path}/pipeline`, { ref: 'main' });
      if (status === 400 && text.includes('took longer')) return null;
      if (status !== 201) throw new Error(text);
      return body.id as number;
    }, 60);
  }

  async states(pipeline: number): Promise<Record<string, string>> {
    const { body } = await this.service.root.get(`${this.path}/pipelines/${pipeline}/jobs`);
    return Object.fromEntries(body.map(({ name, status }: Record<string, string>) => [name, status]));
  }

  /** Waits until a job of a pipeline has a state. */
  until(pipeline: number, name: string, status: string): Promise<boolean> {
    return eventually(async () => (await this.states(pipeline))[name] === status, 60);
  }

  get #alive(): ChildProcess[] {
    return this.service.children.filter((child) => child.exitCode === null && child.signalCode === null);
  }

  /** Kills the process of a program. */
  async kill(program: 'api' | 'workers'): Promise<void> {
    const victims = this.#alive.filter((child) => child.spawnargs.join(' ').includes(`${program}/main.js`));
    if (victims.length !== 1) throw new Error(`${victims.length} processes run ${program}`);
    const gone = once(victims[0] as ChildProcess, 'exit');
    victims[0]?.kill('SIGKILL');
    await gone;
  }

  /** Has a statement wait for a lock, kills the process that sent it, and starts another. */
  async killWaiting(program: 'api' | 'workers', lock: string, statement: string, begin: () => Promise<unknown>) {
    const { service } = this;
    const blocker = await service.database.connect();
    try {
      await blocker.query('begin');
      await blocker.query(lock);
      const begun = begin().then(
        () => null,
        () => null,
      );
      await eventually(async () => {
        const { rows } = await service.database.query(
          `select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
          [`%${statement}%`],
        );
        return rows.length > 0;
      });
      await this.kill(program);
      if (program === 'api') await begun;
      await blocker.query('rollback');
    } finally {
      blocker.release();
    }
    await (program === 'api' ? service.startApi() : service.startWorker());
  }

  /** The next job, once the session of a killed process has let it go. */
  take(): Promise<RunnerJob> {
    return eventually(() => takeJob(this.service.root, this.token), 60);
  }
}

// Contract: ci-states.resource-groups, ci-job-queue.once, ci-job-queue.acknowledge, ci-job-logs.repeat
test('vector 59: API and worker are killed while one job holds the resource: both jobs run once, with whole logs', async (t) => {
  t.timeout(900_000);
  const site = await Site.start(t, FILE, { ci_job_acknowledgement_seconds: 2 });
  const { service } = site;
  const [first, second] = [await site.startPipeline(), await site.startPipeline()];
  await site.until(first, 'deploy', 'pending');
  await site.until(second, 'deploy', 'waiting_for_resource');

  // Before the hand-out is committed: it did not happen.
  const request = () => takeJob(service.root, site.token);
  await site.killWaiting('api', 'lock table job_runs in exclusive mode', 'insert into "job_runs"', request);
  const { rows: untouched } = await service.database.query('select handouts from jobs where handouts > 0');
  t.deepEqual(untouched, []);
  // After it, before its answer: nobody confirms it, and the job is queued again.
  await site.killWaiting('api', 'lock table ci_variables in access exclusive mode', 'ci_variables', request);
  const { rows: handed } = await service.database.query('select handouts, status from jobs where handouts > 0');
  t.deepEqual(handed, [{ handouts: 1, status: 'pending' }]);
  const job = await site.take();
  t.deepEqual([job.job_info.name, job.job_info.pipeline_id], ['deploy', first]);
  t.is((await reportJob(service.root, job, 'running')).status, 200);

  const log = printSteps(job);
  const [one, two] = [log.slice(0, 4), log.slice(4)];
  t.is((await sendLog(service.root, job, 0, one)).status, 202);
  await site.killWaiting('api', 'lock table job_log_chunks in exclusive mode', 'job_log_chunks', () =>
    sendLog(service.root, job, one.length, two),
  );
  t.is((await sendLog(service.root, job, one.length, two)).status, 202);
  t.is((await sendLog(service.root, job, one.length, two)).status, 202);

  const end = () => reportJob(service.root, job, 'success', describeLog(log));
  await site.killWaiting('api', 'lock table resource_groups in exclusive mode', 'update "resource_groups"', end);
  t.is((await site.states(second)).deploy, 'waiting_for_resource');
  // The worker dies while it gives the resource on.
  await site.killWaiting(
    'workers',
    `select 1 from pipelines where id = ${second} for update`,
    '"pipelines"',
    async () => t.is((await end()).status, 200),
  );
  await site.until(second, 'deploy', 'pending');
  t.is((await end()).status, 403, 'it has ended');

  const ran: string[] = [];
  await eventually(async () => {
    const next = await runNextJob(service.root, site.token);
    if (next) ran.push(`${next.job_info.pipeline_id} ${next.job_info.name}`);
    const { body } = await service.root.get(`${site.path}/pipelines`);
    return body.every(({ status, source }: Record<string, string>) => source !== 'api' || status === 'success');
  }, 90);
  t.deepEqual(ran.sort(), [`${first} after`, `${second} after`, `${second} deploy`].sort());
  for (const { id, name, status } of (await service.root.get(`${site.path}/jobs`)).body) {
    t.is(status, 'success');
    const { text } = await service.root.get(`${site.path}/jobs/${id}/trace`);
    t.is(text, name === 'deploy' ? '$ work\n' : '$ more\n');
  }
  const { rows } = await service.database.query(
    `select (select count(*)::int from jobs) as jobs, (select count(*)::int from ci_queue) as queued,
            (select count(*)::int from resource_groups where holder_job_id is not null) as held`,
  );
  t.deepEqual(rows, [{ jobs: 4, queued: 0, held: 0 }]);
});

// Contract: ci-states.resource-groups, ci-job-queue.ends
test('vector 59: a runner is killed while its job holds the resource: the job ends, and the second one runs', async (t) => {
  t.timeout(900_000);
  const file = `deploy: {resource_group: production, script: [work]}`;
  const site = await Site.start(t, file, { ci_silent_job_seconds: 2, ci_silent_runner_seconds: 2 });
  const { service } = site;
  const first = await site.startPipeline();
  const program = path.resolve('dist', 'test', 'ci', 'processing', 'runner-program.js');
  const ledger = path.join(service.env.DATA_DIR as string, 'ledger');
  const runner = fork(program, [site.token, ledger, 'doomed', '1', 'hang'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  service.children.push(runner);
  runner.send([service.url]);
  await site.until(first, 'deploy', 'running');
  const [job] = (await service.root.get(`${site.path}/pipelines/${first}/jobs`)).body;
  const readLog = async () => (await service.root.get(`${site.path}/jobs/${job.id}/trace`)).text;
  await eventually(async () => (await readLog()) === createLog(job.id).toString());
  const second = await site.startPipeline();
  await site.until(second, 'deploy', 'waiting_for_resource');
  const gone = once(runner, 'exit');
  runner.kill('SIGKILL');
  await gone;

  const stage = await openStage(t, service);
  await eventually(async () => {
    const ctx = stage.context();
    await ctx.transaction(async () => void (await ctx.jobs.send(tendPipelineJobs, {})));
    return (await site.states(first)).deploy === 'failed';
  }, 60);
  t.like((await service.root.get(`${site.path}/jobs/${job.id}`)).body, { failure_reason: 'no_updates_running' });
  await site.until(second, 'deploy', 'pending');
  t.is((await runNextJob(service.root, site.token))?.job_info.pipeline_id, second);
  await site.until(second, 'deploy', 'success');
  t.true((await readLog()) === createLog(job.id).toString());
});

import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { sweepPipelines, tendJobLogs, tendPipelineJobs, tendPipelines } from '../../../shared/ci/ci.jobs.js';
import { repositoryPath } from '../../../shared/git/index.js';
import { LIMITS_OFF } from '../../core/app.js';
import { Client } from '../../core/client.js';
import { eventually, ROOT_TOKEN, startService } from '../../core/processes.js';
import type { StartedService } from '../../core/processes.js';
import { openStage } from '../../core/stage.js';
import { plainGit } from '../../git/git-fixture.js';
import { createLog, readEntries } from './runner-ledger.js';

// A long test: processes are killed and waited for.
// A process of its own: processes are killed and waited for.

/** `npm run test:faults` takes its time; `npm run test:long` has a short version of the same. */
const LONG = process.env.CAPSTAN_FAULTS === 'long';
/** In each of them one process of each kind is killed. */
const ROUNDS = LONG ? 1_000 : 6;
/** So many milliseconds of a round pass at most before a kill. */
const SPAN_MS = 800;
const PROCESSES = { api: 2, worker: 2, runner: 3 } as const;
const JOBS_AT_ONCE = 3;
/** Pipelines that are not over, at most. */
const OPEN_PIPELINES = 12;
const TEND_MS = 2_000;
const FINAL = ['success', 'failed', 'canceled', 'skipped'];

const SETTINGS = {
  ...LIMITS_OFF,
  ci_long_poll_seconds: 5,
  ci_job_acknowledgement_seconds: 2,
  ci_silent_job_seconds: 8,
  ci_silent_runner_seconds: 8,
};

/** Names of its jobs, each tried again after a failure. */
const NAMES = ['always', 'compile', 'deploy', 'fails', 'lint', 'unit'];
const FILE = `
stages: [build, test, deploy]
default: {retry: 2}
compile: {stage: build, script: [work]}
lint: {stage: build, script: [work]}
unit: {stage: test, needs: [compile], script: [work]}
fails: {stage: test, script: [fail], retry: 0, allow_failure: true}
deploy: {stage: deploy, script: [work], resource_group: production}
always: {stage: deploy, script: [work], when: always}
`;

type Kind = keyof typeof PROCESSES;
const KINDS = Object.keys(PROCESSES) as Kind[];

const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;
const random = (below: number) => Math.floor(Math.random() * below);

/** A service of several processes with runners, of which any is killed at any moment. */
class Site {
  readonly #running: { kind: Kind; child: ChildProcess; url: string }[] = [];
  readonly ledger: string;
  readonly kills: Record<Kind, number> = { api: 0, worker: 0, runner: 0 };
  #runners = 0;

  private constructor(
    readonly service: StartedService,
    readonly projectId: number,
    private readonly token: string,
  ) {
    this.ledger = path.join(service.env.DATA_DIR as string, 'ledger');
  }

  static async start(t: ExecutionContext): Promise<Site> {
    const service = await startService(t, { workers: 0 });
    service.database.on('error', () => undefined);
    const { root } = service;
    const settings = await root.put('/application/settings', SETTINGS);
    if (settings.status !== 200) throw new Error(settings.text);
    const { id } = (await root.post('/projects', { name: 'Sturdy', initialize_with_readme: true })).body;
    const file = { branch: 'main', commit_message: 'Jobs [skip ci]', content: FILE };
    await root.post(`/projects/${id}/repository/files/.gitlab-ci.yml`, file);
    const { token } = (await root.post('/user/runners', { runner_type: 'instance_type', run_untagged: true })).body;
    await service.database.query(`
      create table noted_moves (id bigserial primary key, job_id bigint not null, status text not null);
      create function note_move() returns trigger language plpgsql as $$
        begin insert into noted_moves (job_id, status) values (new.id, new.status); return null; end $$;
      create trigger note_move after update on jobs for each row
        when (old.status is distinct from new.status) execute function note_move()`);
    const site = new Site(service, id as number, token as string);
    site.#running.push({ kind: 'api', child: service.children[0] as ChildProcess, url: service.url });
    for (const kind of KINDS) while (site.#of(kind).length < PROCESSES[kind]) await site.#start(kind);
    return site;
  }

  #of(kind: Kind) {
    return this.#running.filter((one) => one.kind === kind);
  }

  get urls(): string[] {
    return this.#of('api').map(({ url }) => url);
  }

  async #start(kind: Kind): Promise<void> {
    const { service } = this;
    const child =
      kind === 'api' ? await service.startApi() : kind === 'worker' ? await service.startWorker() : this.#startRunner();
    this.#running.push({ kind, child, url: kind === 'api' ? service.url : '' });
    this.#announce();
  }

  #startRunner(): ChildProcess {
    this.#runners += 1;
    const args = [this.token, this.ledger, `runner-${this.#runners}`, String(JOBS_AT_ONCE)];
    const program = path.resolve('dist', 'test', 'ci', 'processing', 'runner-program.js');
    const child = fork(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.service.children.push(child);
    return child;
  }

  /** Tells runners where the service is now. */
  #announce(): void {
    for (const { child } of this.#of('runner')) if (isAlive(child)) child.send(this.urls);
  }

  async kill(kind: Kind): Promise<void> {
    const candidates = this.#of(kind);
    const victim = candidates[random(candidates.length)];
    if (!victim) throw new Error(`There is no ${kind}.`);
    if (!isAlive(victim.child)) throw new Error(`A process (${kind}) ended by itself.`);
    this.#running.splice(this.#running.indexOf(victim), 1);
    const gone = once(victim.child, 'exit');
    victim.child.kill('SIGKILL');
    await gone;
    this.kills[kind] += 1;
    this.#announce();
    await this.#start(kind);
  }

  async count(query: string, values: unknown[] = []): Promise<number> {
    const { rows } = await this.service.database.query<{ count: number }>(query, values);
    return rows[0]?.count ?? Number.NaN;
  }

  countOpen(): Promise<number> {
    return this.count(`select count(*)::int as count from pipelines where status <> all($1)`, [FINAL]);
  }

  /** Starts pipelines, as long as there is room, until stopped. @returns the ids that were answered */
  async feed(feeding: { go: boolean }): Promise<number[]> {
    const ids: number[] = [];
    while (feeding.go) {
      if ((await this.countOpen()) >= OPEN_PIPELINES) {
        await pause(50);
        continue;
      }
      const url = this.urls[random(this.urls.length)] ?? '';
      const client = new Client(url, { 'PRIVATE-TOKEN': ROOT_TOKEN });
      const answer = await client.post(`/projects/${this.projectId}/pipeline`, { ref: 'main' }).catch(() => null);
      if (answer?.status === 201) ids.push(answer.body.id as number);
      // While no API answers there is nothing to be done.
      else await pause(50);
    }
    return ids;
  }
}

/** Has done every other second what is done each minute, until stopped. */
async function keepTending(t: ExecutionContext, service: StartedService, tending: { go: boolean }): Promise<void> {
  const stage = await openStage(t, service);
  while (tending.go) {
    const ctx = stage.context();
    await ctx.transaction(async () => {
      for (const kind of [sweepPipelines, tendPipelineJobs, tendJobLogs, tendPipelines]) await ctx.jobs.send(kind, {});
    });
    await pause(TEND_MS);
  }
}

interface EndedJob {
  id: number;
  pipeline_id: number;
  name: string;
  status: string;
  failure_reason: string | null;
  allow_failure: boolean;
  retried: boolean;
  log_incomplete: boolean;
}

/** The state that a pipeline must have once all of its jobs are over. */
const stateOf = (jobs: readonly EndedJob[]): string =>
  jobs.some((job) => job.status === 'failed' && !job.allow_failure) ? 'failed' : 'success';

/** What is wrong with the pipelines of a site whose jobs are over. */
async function findFaults(site: Site, answered: readonly number[]): Promise<string[]> {
  const { database } = site.service;
  const faults: string[] = [];
  const { rows: pipelines } = await database.query<{ id: number; status: string }>(
    `select id::int as id, status from pipelines where source = 'api' order by id`,
  );
  const { rows: jobs } = await database.query<EndedJob>(
    `select id::int as id, pipeline_id::int as pipeline_id, name, status, failure_reason, allow_failure, retried, log_incomplete
       from jobs order by id`,
  );
  const known = new Set(pipelines.map(({ id }) => id));
  for (const id of answered) if (!known.has(id)) faults.push(`pipeline ${id} was answered and is lost`);
  const byPipeline = Map.groupBy(jobs, (job) => job.pipeline_id);
  for (const { id, status } of pipelines) {
    const last = (byPipeline.get(id) ?? []).filter(({ retried }) => !retried);
    const names = last.map(({ name }) => name).sort();
    if (names.join() !== NAMES.join()) faults.push(`pipeline ${id} has the jobs ${names.join()}`);
    if (status !== stateOf(last)) faults.push(`pipeline ${id} is ${status}`);
  }
  const { rows: moves } = await database.query<{ job_id: number; status: string }>(
    'select job_id::int as job_id, status from noted_moves order by id',
  );
  const movesOf = Map.groupBy(moves, ({ job_id }) => job_id);
  const entries = readEntries(readFileSync(site.ledger, 'utf8'));
  const began = Map.groupBy(
    entries.filter(({ what }) => what === 'began'),
    ({ job_id }) => job_id,
  );
  const ended = new Set(entries.filter(({ what }) => what === 'ended').map(({ job_id }) => job_id));
  for (const job of jobs) {
    const passed = (movesOf.get(job.id) ?? []).map(({ status }) => status);
    const described = `job ${job.id} (${job.name}, ${passed.join(' ')}, ${job.failure_reason})`;
    if (passed.filter((status) => FINAL.includes(status)).length !== 1) faults.push(`${described} did not end once`);
    if (passed.filter((status) => status === 'running').length > 1) faults.push(`${described} ran twice`);
    if ((began.get(job.id)?.length ?? 0) > 1) faults.push(`${described} was begun twice`);
    if (job.log_incomplete) faults.push(`${described} has a log that differs`);
    const isReported = job.status === 'success' || job.failure_reason === 'script_failure';
    if (isReported && !began.has(job.id)) faults.push(`${described} ended, and nobody began it`);
    if (ended.has(job.id) && !isReported) faults.push(`${described} is not what its runner reported`);
    if (job.retried && job.status !== 'failed') faults.push(`${described} was tried again`);
  }
  faults.push(...(await findFaultyLogs(site, jobs)));
  return faults;
}

/** Logs as they are read, compared with what runners sent: all of it where the job was reported, a beginning elsewhere. */
async function findFaultyLogs(site: Site, jobs: readonly EndedJob[]): Promise<string[]> {
  const { root } = site.service;
  const faults: string[] = [];
  const left = jobs.filter(({ status }) => status !== 'skipped');
  const compare = async () => {
    for (let job = left.pop(); job; job = left.pop()) {
      const { status, text } = await root.get(`/projects/${site.projectId}/jobs/${job.id}/trace`);
      const sent = createLog(job.id).toString();
      const isWhole = job.status === 'success' || job.failure_reason === 'script_failure';
      if (status !== 200 || (isWhole ? text !== sent : !sent.startsWith(text)))
        faults.push(`the log of job ${job.id} (${job.status}) has ${text.length} of ${sent.length} bytes`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, compare));
  return faults;
}

/** Makes refs whose pipelines were never made as old as those are that are removed. */
const ageOrphans = ({ service }: Site) =>
  service.database.query(`
    update pipeline_refs f set created_at = now() - interval '1 hour'
     where not exists (select 1 from pipelines pl where pl.id = f.pipeline_id)`);

/** What is left to be done, by what it is. */
async function listLeft(site: Site): Promise<Record<string, number>> {
  const count = (query: string, values: unknown[] = []) =>
    site.count(`select count(*)::int as count from ${query}`, values);
  return {
    pipelines: await site.countOpen(),
    jobs: await count('jobs where status <> all($1)', [FINAL]),
    queued: await count('ci_queue'),
    chunks: await count('job_log_chunks'),
    held: await count('resource_groups where holder_job_id is not null'),
    processing: await count(`pgboss.job where name in ('pipelines.process', 'job_logs.seal') and state < 'completed'`),
    refs: plainGit(repositoryPath(path.join(site.service.env.DATA_DIR as string, 'repositories'), site.projectId), [
      'for-each-ref',
      'refs/pipelines',
    ]).length,
  };
}

// Contract: ci-job-queue.once, ci-states.end, ci-states.sweep, ci-job-logs.repeat
test.serial(
  'API, workers and runners are killed at random: each job ends once, each pipeline ends, each log is whole',
  async (t) => {
    // Each round is an assertion, with which it begins anew.
    t.timeout(900_000);
    const site = await Site.start(t);
    const tending = { go: true };
    const tended = keepTending(t, site.service, tending);
    const feeding = { go: true };
    const fed = Promise.all([site.feed(feeding), site.feed(feeding)]);
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(
        KINDS.map(async (kind) => {
          await pause(Math.random() * SPAN_MS);
          await site.kill(kind);
        }),
      );
      t.pass();
    }
    feeding.go = false;
    const answered = (await fed).flat();
    await ageOrphans(site);
    const listed = async () => Object.entries(await listLeft(site)).filter(([, left]) => left > 0);
    await eventually(async () => (await listed()).length === 0, 180).catch(() => undefined);
    t.deepEqual(await listed(), [], 'nothing is left to be done');
    tending.go = false;
    await tended;
    t.true(answered.length > ROUNDS);
    t.deepEqual(await findFaults(site, answered), []);
    const { rows } = await site.service.database.query<{ outcome: string; count: number }>(
      `select status || coalesce(' ' || failure_reason, '') as outcome, count(*)::int as count from jobs group by 1 order by 1`,
    );
    t.log(`kills: ${JSON.stringify(site.kills)}; pipelines: ${answered.length}`);
    for (const { outcome, count } of rows) t.log(`${outcome}: ${count}`);
  },
);

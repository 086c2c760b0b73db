import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sealDefinition } from '../../shared/ci/processing/job-definition.js';
import { enqueueJobs } from '../../shared/ci/job-queue/enqueue-jobs.js';
import { createRunnerToken } from '../../shared/ci/runners/runner-tokens.js';
import { ANONYMOUS } from '../../shared/core/context/callers.js';
import { Context } from '../../shared/core/context/context.js';
import { databaseWork } from '../../shared/core/database/database-work.js';
import { domains } from '../../shared/domains.js';
import { openServices } from '../../shared/instance/process/services.js';
import { buildJobDefinition } from '../ci/job-definition-sample.js';
import type { BenchSite } from './bench-site.js';
import type { Child } from './child.js';

export const RUNNERS = 100;
/** Requests that are held at the same time at most. */
export const MOST_HELD = 1_000;
/** The first of the projects that jobs are made in. */
const FIRST_PROJECT = 10_001;
/** Projects that jobs are made in where nothing else is said. */
export const PROJECTS = 20;
const GIVE_UP_MS = 75_000;
const UNLIMITED = [
  'runner_jobs_request_api_limit',
  'runner_jobs_endpoints_api_limit',
  'throttle_unauthenticated_api_enabled',
] as const;

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: { id: number; token: string };
  ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: MOST_HELD + RUNNERS });

/** Sends JSON over a connection that is kept. */
function send(url: string, method: string, path: string, body: object): Promise<Reply> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/api/v4${path}`,
      { method, agent, headers: { 'Content-Type': 'application/json' } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text === '' ? {} : JSON.parse(text),
            ms: performance.now() - began,
          }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/** Asks for a job. */
export const requestJob = (url: string, token: string, body: object = {}): Promise<Reply> =>
  send(url, 'POST', '/jobs/request', { token, system_id: 's_1', info: {}, ...body });

const REPEATABLE = new Set([202, 429, 500, 502, 503, 504]);
const TRIES = 10;
const AGAIN_MS = 200;

/**
 * Reports the state of a job, as often as runners repeat that.
 * @returns how often it was repeated; null for a job that its runner has no more, since it was silent for too long
 */
export async function reportJob(url: string, { id, token }: Reply['body'], state: string): Promise<number | null> {
  for (let repeats = 0; repeats < TRIES; repeats += 1) {
    const { status } = await send(url, 'PUT', `/jobs/${id}`, { token, state });
    if (status === 200) return repeats;
    if (state === 'running' && (status === 400 || status === 403)) return null;
    if (!REPEATABLE.has(status)) throw new Error(`The report of a job is answered ${status}.`);
    await sleep(AGAIN_MS);
  }
  throw new Error('The report of a job was repeated too often.');
}

/** Runners of the instance, and jobs for them, in projects that have no repository on the disk. */
export class HandoutSite {
  readonly tokens = Array.from({ length: RUNNERS }, () => createRunnerToken());
  #services!: Awaited<ReturnType<typeof openServices>>;

  constructor(readonly site: BenchSite) {}

  async open(): Promise<void> {
    const { site, tokens } = this;
    this.#services = await openServices(domains, { ...site.config, logLevel: 'silent' }, 'bench', {
      work: databaseWork.worker,
    });
    for (const name of UNLIMITED)
      await site.db.query(`insert into instance_settings (name, value, updated_at) values ($1, $2, now())`, [
        name,
        name.endsWith('limit') ? '0' : 'false',
      ]);
    await site.db.query(
      `insert into runners (runner_type, token_digest, created_at, updated_at)
       select 'instance_type', digest, now(), now() from unnest($1::bytea[]) digest`,
      [tokens.map((token) => site.keys.digest(token))],
    );
    await site.db.query(`update projects set repository_created = false where id < $1`, [FIRST_PROJECT + PROJECTS]);
  }

  /** Makes jobs of one pipeline. @param index of its project @returns their ids */
  async makeJobsOf(index: number, count: number): Promise<number[]> {
    const ctx = new Context(this.#services, ANONYMOUS);
    const project = FIRST_PROJECT + index;
    const { rows: inserted } = await this.site.db.query<{ id: string }>(
      `insert into pipelines (project_id, iid, kind, ref, sha, before_sha, status, source, user_id, stages, created_at,
                              updated_at)
       select $1, 1 + coalesce(max(iid), 0), 'config', 'main', repeat('1', 40), repeat('0', 40), 'pending', 'api', 1001,
              '{test}', now(), now() from pipelines where project_id = $1 returning id`,
      [project],
    );
    const pipeline = Number(inserted[0]?.id);
    const { rows } = await this.site.db.query<{ id: string }>(
      `with definition as (
         insert into job_definitions (project_id, pipeline_id, definition) values ($1, $2, $3) returning id)
       insert into jobs (project_id, pipeline_id, kind, name, stage, stage_index, "when", status, user_id, definition_id,
                         queued_at, created_at, updated_at)
       select $1, $2, 'build', 'job ' || n, 'test', 0, 'on_success', 'created', 1001, definition.id, now(), now(), now()
         from generate_series(1, $4::int) n, definition returning id`,
      [project, pipeline, sealDefinition(ctx, pipeline, buildJobDefinition()), count],
    );
    return rows.map(({ id }) => Number(id));
  }

  /** Makes jobs of a pipeline in each project. @returns their ids: those that follow each other are of different projects */
  async makeJobs(each: number): Promise<number[]> {
    const ids: number[][] = [];
    for (let index = 0; index < PROJECTS; index += 1) ids.push(await this.makeJobsOf(index, each));
    return Array.from({ length: each }, (_, at) => ids.map((some) => some[at]!)).flat();
  }

  /** Makes jobs pending. @returns when that was about to be committed, by the clock of `performance` */
  async queue(ids: readonly number[]): Promise<number> {
    const ctx = new Context(this.#services, ANONYMOUS);
    return ctx.transaction(async () => {
      await ctx.query({ text: `update jobs set status = 'pending' where id = any($1)`, values: [ids] });
      await enqueueJobs(ctx, ids);
      return performance.now();
    });
  }

  /** How many of these jobs did not succeed, and how many were not handed out exactly once. */
  async countFaults(ids: readonly number[]): Promise<{ lost: number; repeated: number }> {
    const { rows } = await this.site.db.query<{ lost: number; repeated: number }>(
      `select count(*) filter (where status <> 'success')::int as lost,
              count(*) filter (where handouts <> 1)::int as repeated
         from jobs where id = any($1)`,
      [ids],
    );
    return rows[0]!;
  }

  async close(): Promise<void> {
    await this.site.db.query(`delete from pipelines where kind = 'config' and source = 'api'`);
    await this.site.db.query(`delete from runners`);
    await this.site.db.query(`update projects set repository_created = true where id < $1`, [FIRST_PROJECT + PROJECTS]);
    await this.site.db.query('delete from instance_settings where name = any($1)', [UNLIMITED]);
    await this.site.db.query('vacuum analyze jobs, ci_queue, job_runs, pipelines');
    await this.#services.close();
  }
}

/** What runners did: which jobs they got, how long requests that were not held took, and when each job came. */
interface Work {
  readonly jobs: number[];
  readonly times: number[];
  readonly cameAt: Map<number, number>;
  /** Jobs whose end was reported. */
  reported: number;
  /** Reports that were repeated, since the answer was none. */
  repeats: number;
  /** Hand-outs that were acknowledged too late. */
  late: number;
  /** Why a runner gave up. */
  problem: Error | null;
}

/** A runner that does jobs of no length until it is told to stop. */
async function work(
  url: string,
  token: string,
  going: { on: boolean },
  { done, acknowledges }: { done: Work; acknowledges: boolean },
): Promise<void> {
  const info = acknowledges ? { features: { two_phase_job_commit: true } } : {};
  let lastUpdate: string | undefined;
  while (going.on) {
    const reply = await requestJob(url, token, { last_update: lastUpdate, info });
    if (lastUpdate === undefined) done.times.push(reply.ms);
    const value = reply.headers['x-gitlab-last-update'];
    if (reply.status === 204) lastUpdate = typeof value === 'string' ? value : undefined;
    if (reply.status !== 201) continue;
    const cameAt = performance.now();
    lastUpdate = undefined;
    const acknowledged = acknowledges ? await reportJob(url, reply.body, 'running') : 0;
    if (acknowledged === null) {
      done.late += 1;
      continue;
    }
    done.cameAt.set(reply.body.id, cameAt);
    done.jobs.push(reply.body.id);
    done.repeats += acknowledged + ((await reportJob(url, reply.body, 'success')) ?? 0);
    done.reported += 1;
  }
}

/** Has all runners work at some processes as long as something is done. */
export async function whileWorking(
  site: HandoutSite,
  apis: readonly Child[],
  options: { acknowledges: boolean },
  use: (done: Work) => Promise<void>,
): Promise<Work> {
  const done: Work = { jobs: [], times: [], cameAt: new Map(), reported: 0, repeats: 0, late: 0, problem: null };
  const going = { on: true };
  const runners = site.tokens.map((token, index) =>
    work(apis[index % apis.length]!.url, token, going, { done, ...options }).catch((error: unknown) => {
      if (going.on) done.problem ??= error as Error;
    }),
  );
  try {
    await use(done);
  } finally {
    going.on = false;
    // Those that are held end with their processes.
    void Promise.all(runners);
  }
  return done;
}

/** Waits until so many jobs were handed out, and their ends reported. */
export async function untilDone(done: Work, count: number): Promise<void> {
  const until = performance.now() + GIVE_UP_MS;
  while (done.reported < count) {
    if (done.problem) throw done.problem;
    if (performance.now() > until) throw new Error(`${done.reported} of ${count} jobs were handed out and ended.`);
    await sleep(5);
  }
}

/** A bench on runners and two processes of the API of its own. */
export async function withHandouts<R>(
  bench: BenchSite,
  use: (site: HandoutSite, apis: readonly Child[]) => Promise<R>,
): Promise<R> {
  const site = new HandoutSite(bench);
  await site.open();
  try {
    const apis = await Promise.all([bench.api(), bench.api()]);
    try {
      return await use(site, apis);
    } finally {
      await Promise.all(apis.map((api) => api.stop()));
    }
  } finally {
    await site.close();
  }
}

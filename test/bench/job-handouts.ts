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
import { getMemory, getPercent } from './child.js';
import type { Child } from './child.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import { quantile } from './statistics.js';

const RUNNERS = 100;
const PROJECTS = 20;
/** Of the flood, which runners work off as fast as they can. */
const JOBS = 2_000;
const JOBS_A_MINUTE = 1_000;
const REQUEST_MS = 100;
/** Of the steady part: one job after the other, more than a thousand a minute. */
const STEADY = 400;
const PAUSE_MS = 50;
const WAKE_MS = 50;
const IDLE = 1_000;
const IDLE_MS = 20_000;
const IDLE_PERCENT = 5;
const IDLE_MIB = 60;
const STOP_MS = 1_000;
const GIVE_UP_MS = 120_000;
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

const agent = new Agent({ keepAlive: true, maxSockets: IDLE + RUNNERS });

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

/** Runners of the instance, and jobs for them: some in many projects, none of which has a repository on the disk. */
class HandoutSite {
  readonly tokens = Array.from({ length: RUNNERS }, () => createRunnerToken());
  #services!: Awaited<ReturnType<typeof openServices>>;

  constructor(private readonly site: BenchSite) {}

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
    await site.db.query(`update projects set repository_created = false where id <= $1`, [10_000 + PROJECTS]);
  }

  /** Makes jobs of a pipeline in each project. @returns their ids */
  async makeJobs(each: number, projects = PROJECTS): Promise<number[]> {
    const ctx = new Context(this.#services, ANONYMOUS);
    const ids: number[] = [];
    for (let project = 10_001; project <= 10_000 + projects; project += 1) {
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
        [project, pipeline, sealDefinition(ctx, pipeline, buildJobDefinition()), each],
      );
      ids.push(...rows.map(({ id }) => Number(id)));
    }
    return ids;
  }

  /** Makes jobs pending. */
  async queue(ids: readonly number[]): Promise<void> {
    const ctx = new Context(this.#services, ANONYMOUS);
    await ctx.transaction(async () => {
      await ctx.query({ text: `update jobs set status = 'pending' where id = any($1)`, values: [ids] });
      await enqueueJobs(ctx, ids);
    });
  }

  async close(): Promise<void> {
    await this.site.db.query(`delete from pipelines where kind = 'config' and source = 'api'`);
    await this.site.db.query(`delete from runners`);
    await this.site.db.query(`update projects set repository_created = true where id <= $1`, [10_000 + PROJECTS]);
    await this.site.db.query(`delete from instance_settings where name = any($1)`, [UNLIMITED]);
    await this.site.db.query('vacuum analyze jobs, ci_queue, job_runs, pipelines');
    await this.#services.close();
  }
}

/** What runners did: which jobs they got, how long requests that were not held took, and when each job came. */
interface Work {
  readonly jobs: number[];
  readonly times: number[];
  readonly cameAt: Map<number, number>;
}

/** A runner that does jobs of no length until it is told to stop. */
async function work(url: string, token: string, going: { on: boolean }, done: Work): Promise<void> {
  let lastUpdate: string | undefined;
  while (going.on) {
    const reply = await send(url, 'POST', '/jobs/request', {
      token,
      system_id: 's_1',
      last_update: lastUpdate,
      info: {},
    });
    if (lastUpdate === undefined) done.times.push(reply.ms);
    const value = reply.headers['x-gitlab-last-update'];
    if (reply.status === 204) lastUpdate = typeof value === 'string' ? value : undefined;
    if (reply.status !== 201) continue;
    done.cameAt.set(reply.body.id, performance.now());
    done.jobs.push(reply.body.id);
    lastUpdate = undefined;
    await send(url, 'PUT', `/jobs/${reply.body.id}`, { token: reply.body.token, state: 'success' });
  }
}

async function whileWorking(
  site: HandoutSite,
  apis: readonly Child[],
  use: (done: Work) => Promise<void>,
): Promise<Work> {
  const done: Work = { jobs: [], times: [], cameAt: new Map() };
  const going = { on: true };
  const runners = site.tokens.map((token, index) => work(apis[index % apis.length]!.url, token, going, done));
  try {
    await use(done);
  } finally {
    going.on = false;
    // Those that are held end with their processes.
    Promise.allSettled(runners).catch(() => undefined);
  }
  return done;
}

async function untilDone(done: Work, count: number): Promise<void> {
  const until = performance.now() + GIVE_UP_MS;
  while (done.jobs.length < count) {
    if (performance.now() > until) throw new Error(`${done.jobs.length} of ${count} jobs were handed out.`);
    await sleep(5);
  }
}

async function flood(site: HandoutSite, apis: readonly Child[]): Promise<Goal[]> {
  await site.queue(await site.makeJobs(JOBS / PROJECTS));
  const began = performance.now();
  const done = await whileWorking(site, apis, (begun) => untilDone(begun, JOBS));
  const rate = JOBS / ((performance.now() - began) / 60_000);
  const twice = done.jobs.length - new Set(done.jobs).size;
  report(`requests while all runners ask: p50 ${quantile(done.times, 0.5).toFixed(0)} ms`);
  return [
    {
      name: 'job-handouts rate',
      target: `>= ${JOBS_A_MINUTE} a minute to ${RUNNERS} runners at 2 processes, none twice`,
      measured: `${rate.toFixed(0)} a minute, ${twice} twice`,
      holds: rate >= JOBS_A_MINUTE && twice === 0,
    },
  ];
}

async function steady(site: HandoutSite, apis: readonly Child[]): Promise<Goal[]> {
  const ids = await site.makeJobs(Math.ceil(STEADY / PROJECTS));
  const queuedAt = new Map<number, number>();
  const done = await whileWorking(site, apis, async (begun) => {
    await sleep(2_000);
    begun.times.length = 0;
    for (const id of ids) {
      await site.queue([id]);
      queuedAt.set(id, performance.now());
      await sleep(PAUSE_MS);
    }
    await untilDone(begun, ids.length);
  });
  const waits = ids.map((id) => Math.max((done.cameAt.get(id) ?? Infinity) - (queuedAt.get(id) ?? 0), 0));
  const requestMs = quantile(done.times, 0.99);
  const waitMs = quantile(waits, 0.99);
  report(`from pending to the answer of a held request: p50 ${quantile(waits, 0.5).toFixed(1)} ms`);
  return [
    {
      name: 'job-handouts held request',
      target: `p99 <= ${WAKE_MS} ms after the job is pending`,
      measured: `${waitMs.toFixed(1)} ms`,
      holds: waitMs <= WAKE_MS,
    },
    {
      name: 'job-handouts request',
      target: `p99 <= ${REQUEST_MS} ms`,
      measured: `${requestMs.toFixed(1)} ms`,
      holds: requestMs <= REQUEST_MS,
    },
  ];
}

async function idle(site: HandoutSite, api: Child): Promise<Goal[]> {
  const values = await Promise.all(
    site.tokens.map((token) => send(api.url, 'POST', '/jobs/request', { token, system_id: 's_1', info: {} })),
  );
  await sleep(1_000);
  const before = await getMemory(api);
  const held = Array.from({ length: IDLE }, (_, index) => {
    const token = site.tokens[index % RUNNERS];
    const last_update = values[index % RUNNERS]?.headers['x-gitlab-last-update'];
    return send(api.url, 'POST', '/jobs/request', { token, system_id: 's_1', last_update, info: {} });
  });
  const over: number[] = [];
  for (const one of held) one.then(({ status }) => over.push(status)).catch(() => over.push(0));
  await sleep(3_000);
  const percent = await getPercent(api, IDLE_MS);
  const mib = (await getMemory(api)) - before;
  const early = over.length;
  if (early > 0) report(`answered at once: ${over.join(', ')}`);
  const began = performance.now();
  const stopped = api.stop();
  const answers = await Promise.all(held);
  const ms = performance.now() - began;
  await stopped;
  const unanswered = answers.filter(({ status }) => status !== 204).length;
  return [
    {
      name: 'job-handouts stop',
      target: `<= ${STOP_MS} ms until a process that stops has answered ${IDLE} held requests with 204`,
      measured: `${ms.toFixed(0)} ms, ${unanswered} with something else`,
      holds: ms <= STOP_MS && unanswered === 0,
    },
    {
      name: 'job-handouts idle',
      target: `< ${IDLE_PERCENT} % CPU and < ${IDLE_MIB} MiB for ${IDLE} held requests`,
      measured: `${percent.toFixed(1)} %, ${mib.toFixed(0)} MiB, ${early} not held`,
      holds: percent < IDLE_PERCENT && mib < IDLE_MIB && early === 0,
    },
  ];
}

/** Hands jobs of no length to many runners by two processes: a flood, one after the other, and none at all. */
export const jobHandouts: Bench = {
  name: 'job-handouts',
  async run(bench): Promise<Goal[]> {
    const site = new HandoutSite(bench);
    await site.open();
    const goals: Goal[] = [];
    try {
      for (const part of [flood, steady, (of: HandoutSite, [api]: readonly Child[]) => idle(of, api!)]) {
        const apis = await Promise.all([bench.api(), bench.api()]);
        try {
          goals.push(...(await part(site, apis)));
        } finally {
          await Promise.all(apis.map((api) => api.stop()));
        }
      }
    } finally {
      await site.close();
    }
    return goals;
  },
};

import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchSite } from './bench-site.js';
import { getMemory } from './child.js';
import type { Child } from './child.js';
import { report } from './goal.js';
import type { Bench, Effort, Goal } from './goal.js';
import { quantile } from './statistics.js';

const PROJECT = 10_001;
const PATCH = Buffer.alloc(64 * 1024, 'a line of a log that is as long as most are, 64 bytes, each.....\n');
const PATCHES = 400;
const PATCH_MS = 20;
const JOBS = 200;
/** Between two patches of a job that is busy. */
const BUSY_MS = 100;
const BUSY_TURNS = 10;
const GROWTH_MIB = 60;
const LOG_MIB = 100;
const MIB = Buffer.alloc(1024 * 1024, 'a line of a log that is as long as most are, 64 bytes, each.....\n');
const UNLIMITED = ['runner_jobs_patch_trace_api_limit', 'throttle_unauthenticated_api_enabled'] as const;

/** A job that a runner has. */
interface BenchJob {
  id: number;
  token: string;
  size: number;
}

/** Makes running jobs whose tokens are known. */
async function createJobs({ db, keys }: BenchSite, count: number): Promise<BenchJob[]> {
  const { rows: pipelines } = await db.query<{ id: string }>(
    `insert into pipelines (project_id, iid, kind, ref, sha, before_sha, status, source, user_id, stages, created_at,
                            updated_at)
     select $1, 1 + coalesce(max(iid), 0), 'config', 'main', repeat('1', 40), repeat('0', 40), 'running', 'api', 1001,
            '{test}', now(), now() from pipelines where project_id = $1 returning id`,
    [PROJECT],
  );
  const { rows } = await db.query<{ id: string }>(
    `insert into jobs (project_id, pipeline_id, kind, name, stage, stage_index, "when", status, user_id, queued_at,
                       started_at, created_at, updated_at)
     select $1, $2, 'build', 'job ' || n, 'test', 0, 'on_success', 'running', 1001, now(), now(), now(), now()
       from generate_series(1, $3::int) n returning id`,
    [PROJECT, pipelines[0]?.id, count],
  );
  const jobs = rows.map(({ id }) => ({ id: Number(id), token: `bench-token-of-job-${id}`, size: 0 }));
  await db.query(
    `insert into job_runs (project_id, job_id, token_digest, handed_out_at, contacted_at)
     select $1, u.id, u.digest, now(), now() from unnest($2::bigint[], $3::bytea[]) u (id, digest)`,
    [PROJECT, jobs.map(({ id }) => id), jobs.map(({ token }) => keys.digest(token))],
  );
  return jobs;
}

/** Sends the next bytes of a log. @returns how long it took, in milliseconds */
async function patch(url: string, job: BenchJob, body: Buffer): Promise<number> {
  const began = performance.now();
  const response = await fetch(`${url}/api/v4/jobs/${job.id}/trace`, {
    method: 'PATCH',
    headers: {
      'JOB-TOKEN': job.token,
      'Content-Type': 'text/plain',
      'Content-Range': `${job.size}-${job.size + body.length - 1}`,
    },
    body: body as never,
  });
  await response.arrayBuffer();
  if (response.status !== 202) throw new Error(`A patch is answered ${response.status}.`);
  job.size += body.length;
  return performance.now() - began;
}

/** Patches of one job, one after the other. */
async function single(site: BenchSite, api: Child): Promise<Goal[]> {
  const [job] = await createJobs(site, 1);
  const times: number[] = [];
  for (let turn = -20; turn < PATCHES; turn += 1) {
    const ms = await patch(api.url, job!, PATCH);
    if (turn >= 0) times.push(ms);
  }
  const p99 = quantile(times, 0.99);
  report(`a patch of 64 KiB: p50 ${quantile(times, 0.5).toFixed(1)} ms`);
  return [
    {
      name: 'job-logs patch',
      target: `p99 <= ${PATCH_MS} ms`,
      measured: `${p99.toFixed(1)} ms`,
      holds: p99 <= PATCH_MS,
    },
  ];
}

/** Many jobs that write small patches ten times a second. */
async function many(site: BenchSite, api: Child, { seconds }: Effort): Promise<Goal[]> {
  const jobs = await createJobs(site, JOBS);
  const line = Buffer.from('another line of the log, as programs print them\n'.repeat(20));
  const write = async (job: BenchJob, until: number) => {
    let count = 0;
    for (let next = performance.now(); next < until; next += BUSY_MS) {
      await sleep(Math.max(0, next - performance.now()));
      await patch(api.url, job, line);
      count += 1;
    }
    return count;
  };
  const turn = async (): Promise<number> => {
    const began = performance.now();
    const counts = await Promise.all(jobs.map((job) => write(job, began + seconds * 1000)));
    return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - began) / 1000);
  };
  await turn();
  const before = await getMemory(api);
  const rates: number[] = [];
  for (let count = 0; count < BUSY_TURNS; count += 1) rates.push(await turn());
  const growth = (await getMemory(api)) - before;
  report(`${JOBS} jobs: ${quantile(rates, 0.5).toFixed(0)} patches a second`);
  return [
    {
      name: 'job-logs many jobs',
      target: `memory grows by <= ${GROWTH_MIB} MiB`,
      measured: `${growth.toFixed(0)} MiB`,
      holds: growth <= GROWTH_MIB,
    },
  ];
}

/** A log as long as it may be, read by its owner. */
async function read(site: BenchSite, api: Child): Promise<Goal[]> {
  const [job] = await createJobs(site, 1);
  for (let count = 0; count < LOG_MIB; count += 1) await patch(api.url, job!, MIB);
  await sleep(1_000);
  const before = await getMemory(api);
  let most = before;
  const began = performance.now();
  const response = await fetch(`${api.url}/api/v4/projects/${PROJECT}/jobs/${job!.id}/trace`, {
    headers: { 'private-token': site.data.token },
  });
  let bytes = 0;
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes % (10 * MIB.length) < piece.length) most = Math.max(most, await getMemory(api));
  }
  if (bytes !== job!.size) throw new Error(`${bytes} bytes were read of ${job!.size}.`);
  const mibPerSecond = LOG_MIB / ((performance.now() - began) / 1000);
  report(`a log of ${LOG_MIB} MiB: ${mibPerSecond.toFixed(0)} MiB/s`);
  return [
    {
      name: 'job-logs read',
      target: `<= ${GROWTH_MIB} MiB more for ${LOG_MIB} MiB`,
      measured: `${(most - before).toFixed(0)} MiB`,
      holds: most - before <= GROWTH_MIB,
    },
  ];
}

/** Logs that runners write, and the reading of a long one. */
export const jobLogs: Bench = {
  name: 'job-logs',
  async run(site, effort): Promise<Goal[]> {
    for (const name of UNLIMITED)
      await site.db.query(`insert into instance_settings (name, value, updated_at) values ($1, $2, now())`, [
        name,
        name.endsWith('limit') ? '0' : 'false',
      ]);
    const goals: Goal[] = [];
    try {
      for (const part of [single, many, read]) {
        const api = await site.api();
        try {
          goals.push(...(await part(site, api, effort)));
        } finally {
          await api.stop();
        }
      }
    } finally {
      await site.db.query(`delete from pipelines where kind = 'config' and source = 'api' and project_id = $1`, [
        PROJECT,
      ]);
      await site.db.query(`delete from instance_settings where name = any($1)`, [UNLIMITED]);
    }
    return goals;
  },
};

import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchSite } from './bench-site.js';
import { getMemory, highestWhile } from './child.js';
import type { Child } from './child.js';
import { report } from './goal.js';
import type { Bench, Effort, Goal } from './goal.js';
import { quantile } from './statistics.js';

const PROJECT = 10_001;
const PATCH = Buffer.alloc(64 * 1024, 'a line of a log that is as long as most are, 64 bytes, each.....\n');
const PATCH_MS = 20;
const JOBS = 200;
/** Between two patches of a job, as the service asks of runners whose job has just begun. */
const LIVE_MS = 3_000;
const LIVE_TURNS = 10;
/** Between two patches of a job that is busy. */
const BUSY_MS = 100;
const BUSY_TURNS = 10;
const GROWTH_MIB = 60;
const SEAL_MS = 20_000;
const AGAIN_MS = 100;
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

/** Sends the next bytes of a log, again where the service is busy. @returns how long it took, in milliseconds */
async function patch(url: string, job: BenchJob, body: Buffer): Promise<number> {
  const began = performance.now();
  for (let status = 503; status !== 202;) {
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
    ({ status } = response);
    if (status === 503) await sleep(AGAIN_MS);
    else if (status !== 202) throw new Error(`A patch is answered ${status}.`);
  }
  job.size += body.length;
  return performance.now() - began;
}

/** Patches of 64 KiB of many live jobs, each as often as runners send them, evenly: some 67 a second. */
async function live(site: BenchSite, api: Child): Promise<Goal[]> {
  const jobs = await createJobs(site, JOBS);
  for (const job of jobs) await patch(api.url, job, PATCH);
  const before = await getMemory(api);
  const cpuBefore = (await api.cpuMs()) ?? 0;
  const began = performance.now();
  const times: number[] = [];
  const write = async (job: BenchJob, index: number) => {
    for (let turn = 0; turn < LIVE_TURNS; turn += 1) {
      await sleep(Math.max(0, began + (turn + index / JOBS) * LIVE_MS - performance.now()));
      times.push(await patch(api.url, job, PATCH));
    }
  };
  const highest = await highestWhile(Promise.all(jobs.map(write)), () => getMemory(api));
  const cpu = (((await api.cpuMs()) ?? 0) - cpuBefore) / times.length;
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  report(
    `${times.length} patches: ${cpu.toFixed(1)} ms CPU of the API each, ${(highest - before).toFixed(0)} MiB more`,
  );
  return [
    {
      name: 'log-patches',
      target: `p99 <= ${PATCH_MS} ms for 64 KiB, with ${JOBS} live jobs`,
      measured: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      holds: p99 <= PATCH_MS,
    },
  ];
}

/** Many jobs that write small patches ten times a second: far more than a process can take. */
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
      name: 'log-flood',
      target: `memory grows by <= ${GROWTH_MIB} MiB while ${JOBS} jobs send all that they can`,
      measured: `${growth.toFixed(0)} MiB`,
      holds: growth <= GROWTH_MIB,
    },
  ];
}

/** Reads a whole log as its owner. @returns what it took: MiB more of memory, and seconds */
async function readWhole(site: BenchSite, api: Child, job: BenchJob): Promise<{ mib: number; seconds: number }> {
  await sleep(1_000);
  const before = await getMemory(api);
  const began = performance.now();
  const read = async () => {
    const response = await fetch(`${api.url}/api/v4/projects/${PROJECT}/jobs/${job.id}/trace`, {
      headers: { 'private-token': site.data.token },
    });
    let bytes = 0;
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) bytes += piece.length;
    if (bytes !== job.size) throw new Error(`${bytes} bytes were read of ${job.size}.`);
  };
  const highest = await highestWhile(read(), () => getMemory(api));
  return { mib: highest - before, seconds: (performance.now() - began) / 1000 };
}

/** Ends a job, and waits until its log is in the object store. */
async function seal(site: BenchSite, api: Child, job: BenchJob): Promise<void> {
  const worker = await site.worker();
  try {
    const response = await fetch(`${api.url}/api/v4/jobs/${job.id}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: job.token, state: 'success' }),
    });
    if (response.status !== 200) throw new Error(`The end of a job is answered ${response.status}.`);
    const until = performance.now() + SEAL_MS;
    for (let sealed = false; !sealed; await sleep(50)) {
      const { rows } = await site.db.query(`select 1 from job_logs where job_id = $1 and object_id is not null`, [
        job.id,
      ]);
      sealed = rows.length > 0;
      if (performance.now() > until) throw new Error('A log was not sealed.');
    }
  } finally {
    await worker.stop();
  }
}

/** A log as long as it may be, while its job runs, and afterwards: twice, since a process's first bytes cost more. */
async function read(site: BenchSite, api: Child): Promise<Goal[]> {
  const [job] = await createJobs(site, 1);
  for (let count = 0; count < LOG_MIB; count += 1) await patch(api.url, job!, MIB);
  const goal = async (state: string): Promise<Goal> => {
    const { mib, seconds } = await readWhole(site, api, job!);
    report(`${state}: ${(LOG_MIB / seconds).toFixed(0)} MiB/s`);
    return {
      name: `log-read, ${state}`,
      target: `<= ${GROWTH_MIB} MiB more for ${LOG_MIB} MiB`,
      measured: `${mib.toFixed(0)} MiB`,
      holds: mib <= GROWTH_MIB,
    };
  };
  const live = [await goal('in rows'), await goal('in rows again')];
  await seal(site, api, job!);
  return [...live, await goal('in the object store')];
}

/** A bench with an API of its own, and without the limits of runners. */
const logBench = (name: string, part: (site: BenchSite, api: Child, effort: Effort) => Promise<Goal[]>): Bench => ({
  name,
  group: 'pipelines',
  async run(site, effort): Promise<Goal[]> {
    for (const setting of UNLIMITED)
      await site.db.query(`insert into instance_settings (name, value, updated_at) values ($1, $2, now())`, [
        setting,
        setting.endsWith('limit') ? '0' : 'false',
      ]);
    try {
      const api = await site.api();
      try {
        return await part(site, api, effort);
      } finally {
        await api.stop();
      }
    } finally {
      await site.db.query(`delete from pipelines where kind = 'config' and source = 'api' and project_id = $1`, [
        PROJECT,
      ]);
      await site.db.query('delete from instance_settings where name = any($1)', [UNLIMITED]);
    }
  },
});

/** Logs that runners write, and the reading of a long one. */
export const jobLogs: Bench[] = [
  logBench('log-patches', live),
  logBench('log-flood', many),
  logBench('log-read', read),
];

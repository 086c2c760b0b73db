import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { freePorts } from '../core/launch/installation.js';
import { startBuiltInRunner } from '../runner-suite/runner-process.js';
import type { RunnerProcess } from '../runner-suite/runner-process.js';
import type { BenchSite } from './bench-site.js';
import { Child } from './child.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import { makeDue } from './schedule-latency.js';
import { median, quantile } from './statistics.js';

const P50_MS = 1_000;
const P99_MS = 3_000;
/** The first ones warm the processes up. */
const WARM_UP = 3;
const SAMPLES = 40;
const MEASURED_MS = 70_000;
const GIVE_UP_MS = 20_000;
const LINE = 'the first line of the script';
const FILE = `job:\n  script:\n    - echo ${LINE}\n`;

/** A service with one worker and the built-in runner, and a project whose pipelines come from a file. */
class FirstLineSite {
  projectId = 0;
  userId = 0;
  runnerId = 0;

  private constructor(
    readonly site: BenchSite,
    readonly api: Child,
    readonly worker: Child,
    readonly runner: { process: RunnerProcess | null },
  ) {}

  static async start(site: BenchSite): Promise<FirstLineSite> {
    // Runners clone from the address that the service has outside.
    const [port] = await freePorts(1);
    const env = { ...site.env, PORT: String(port), EXTERNAL_URL: `http://127.0.0.1:${port}` };
    const api = await Child.start('api/main.js', env, site.directory);
    const worker = await Child.start('workers/main.js', env, site.directory);
    const started = new FirstLineSite(site, api, worker, { process: null });
    try {
      await started.#fill();
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  async #fill(): Promise<void> {
    const project = await this.#post<{ id: number; creator_id: number }>('/projects', {
      name: 'first-line',
      initialize_with_readme: true,
    });
    this.projectId = project.id;
    this.userId = project.creator_id;
    const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content: FILE }];
    const commit = { branch: 'main', commit_message: 'Add a pipeline [skip ci]', actions };
    await this.#post(`/projects/${this.projectId}/repository/commits`, commit);
    const runner = await this.#post<{ id: number; token: string }>('/user/runners', {
      runner_type: 'instance_type',
      run_untagged: true,
    });
    this.runnerId = runner.id;
    this.runner.process = await startBuiltInRunner(this.api.url, runner.token);
    const until = performance.now() + GIVE_UP_MS;
    while (!this.runner.process.said().includes('isolation:')) {
      if (performance.now() > until) throw new Error(`The runner did not start: ${this.runner.process.said()}`);
      await sleep(50);
    }
  }

  async #post<B>(path: string, body: object): Promise<B> {
    const response = await fetch(`${this.api.url}/api/v4${path}`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': this.site.env.INITIAL_ROOT_TOKEN!, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${path} is answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as B;
  }

  /** Follows the log of a job, as its page does, until it shows a text. */
  async readUntil(jobId: number, text: string): Promise<void> {
    const response = await fetch(`${this.api.url}/api/v4/projects/${this.projectId}/jobs/${jobId}/trace?follow=true`, {
      headers: { 'PRIVATE-TOKEN': this.site.env.INITIAL_ROOT_TOKEN!, accept: 'text/event-stream' },
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
    let log = '';
    for await (const line of createInterface(Readable.fromWeb(response.body as never))) {
      if (line.startsWith('data: ')) log += JSON.parse(line.slice('data: '.length)) as string;
      if (log.includes(text)) return;
    }
    throw new Error(`A log ended without the line: ${log}`);
  }

  async stop(): Promise<void> {
    await this.runner.process?.stop();
    await this.worker.stop();
    await this.api.stop();
    await this.site.db.query('delete from runners where id = $1', [this.runnerId]);
    await this.site.db.query('delete from pipeline_schedules where project_id = $1', [this.projectId]);
  }
}

/** What happened to one job, in milliseconds after its schedule was due. */
interface Times {
  created: number;
  handed_out: number;
  started: number;
  first_log: number;
  readable: number;
}

const now = async (db: PoolClient): Promise<number> => {
  const { rows } = await db.query<{ now: number }>({
    name: 'now',
    text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  });
  return rows[0]!.now;
};

async function findJob(db: PoolClient, scheduleId: string): Promise<number> {
  const until = performance.now() + GIVE_UP_MS;
  while (performance.now() < until) {
    const { rows } = await db.query<{ id: string }>({
      name: 'job-of-schedule',
      text: `select j.id from pipelines pl join jobs j on j.pipeline_id = pl.id where pl.pipeline_schedule_id = $1`,
      values: [scheduleId],
    });
    if (rows[0]) return Number(rows[0].id);
    await sleep(2);
  }
  throw new Error('A due schedule made no job.');
}

/** One schedule, from its due time until the line that its script prints can be read. */
async function measureOne(db: PoolClient, started: FirstLineSite): Promise<Times> {
  const { id, due } = await makeDue(db, started);
  const jobId = await findJob(db, id);
  // In the log the command itself is told before; its output is a line of its own.
  await started.readUntil(jobId, `\n${LINE}\n`);
  const readable = (await now(db)) - due;
  const { rows } = await db.query<Omit<Times, 'readable'>>(
    `select extract(epoch from pl.created_at)::float8 * 1000 - $2 as created,
            extract(epoch from x.handed_out_at)::float8 * 1000 - $2 as handed_out,
            extract(epoch from j.started_at)::float8 * 1000 - $2 as started,
            extract(epoch from j.first_log_at)::float8 * 1000 - $2 as first_log
       from jobs j join pipelines pl on pl.id = j.pipeline_id join job_runs x on x.job_id = j.id where j.id = $1`,
    [jobId, due],
  );
  await untilOver(db, jobId);
  return { ...rows[0]!, readable };
}

async function untilOver(db: PoolClient, jobId: number): Promise<void> {
  const until = performance.now() + GIVE_UP_MS;
  while (performance.now() < until) {
    const { rows } = await db.query<{ status: string }>('select status from jobs where id = $1', [jobId]);
    if (rows[0]?.status === 'success') return;
    await sleep(20);
  }
  throw new Error('A job did not succeed.');
}

async function measure(site: BenchSite, started: FirstLineSite): Promise<Times[]> {
  const db = await site.db.connect();
  try {
    const samples: Times[] = [];
    const until = performance.now() + MEASURED_MS;
    for (let sample = -WARM_UP; sample < SAMPLES && performance.now() < until; sample += 1) {
      const times = await measureOne(db, started);
      if (sample >= 0) samples.push(times);
    }
    return samples;
  } finally {
    db.release();
  }
}

/** One schedule due, with real processes, runner included: until a reader has the first line that the script prints. */
export const firstLine: Bench = {
  name: 'first-line',
  group: 'pipelines',
  async run(site): Promise<Goal[]> {
    const started = await FirstLineSite.start(site);
    try {
      const samples = await measure(site, started);
      const at = (name: keyof Times, share = 0.5) =>
        quantile(
          samples.map((times) => times[name]),
          share,
        );
      report(
        `${samples.length} schedules, medians after the due time: pipeline ${at('created').toFixed(0)} ms, ` +
          `handed out ${at('handed_out').toFixed(0)}, started ${at('started').toFixed(0)}, ` +
          `log ${at('first_log').toFixed(0)}, line ${at('readable').toFixed(0)}`,
      );
      const [p50, p99] = [median(samples.map(({ readable }) => readable)), at('readable', 0.99)];
      return [
        {
          name: 'first-line p50',
          target: `<= ${P50_MS} ms`,
          measured: `${p50.toFixed(0)} ms`,
          holds: p50 <= P50_MS,
        },
        {
          name: 'first-line p99',
          target: `<= ${P99_MS} ms`,
          measured: `${p99.toFixed(0)} ms`,
          holds: p99 <= P99_MS,
        },
      ];
    } finally {
      await started.stop();
    }
  },
};

import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchSite } from './bench-site.js';
import { getMemory, getPercent, highestWhile } from './child.js';
import type { Child } from './child.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import {
  HandoutSite,
  MOST_HELD,
  PROJECTS,
  requestJob,
  RUNNERS,
  untilDone,
  whileWorking,
  withHandouts,
} from './handout-site.js';
import { quantile } from './statistics.js';

/** Of the flood, which runners work off as fast as they can. */
const FLOOD = 1_000;
const JOBS_A_MINUTE = 1_000;
const EVERY_MS = 60_000 / JOBS_A_MINUTE;
const WARM_UP = 100;
const REQUEST_MS = 100;
/** Of those that come one after the other while all runners wait. */
const SINGLE = 300;
const PAUSE_MS = 60;
const HELD_P50_MS = 10;
const HELD_P99_MS = 50;
const IDLE_MS = 60_000;
const BEGIN_MS = 5_000;
/** An idle connection tells the statistics of what it did after ten seconds at the latest. */
const SETTLE_MS = 11_000;
/** A part in which no request ends: one is held for 50 s. */
const HELD_MS = 25_000;
const SHORTEST_MS = 49_000;
const AGAIN_MS = 2_000;
const IDLE_PERCENT = 5;
const IDLE_MIB = 60;
const STOP_MS = 1_000;

const formatMs = (values: readonly number[]): string =>
  `p50 ${quantile(values, 0.5).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms`;

/** All jobs at once, and runners that take them as fast as they can. */
export const jobsAtOnce: Bench = {
  name: 'jobs-at-once',
  group: 'pipelines',
  run: (bench) =>
    withHandouts(bench, async (site, apis): Promise<Goal[]> => {
      const ids = await site.makeJobs(FLOOD / PROJECTS);
      await site.queue(ids);
      const [began, cpuBefore] = [performance.now(), await getCpuSeconds(apis)];
      const done = await whileWorking(site, apis, { acknowledges: false }, (begun) => untilDone(begun, FLOOD));
      const rate = FLOOD / ((performance.now() - began) / 60_000);
      const cpu = (await getCpuSeconds(apis)) - cpuBefore;
      const { lost, repeated } = await site.countFaults(ids);
      const twice = done.jobs.length - new Set(done.jobs).size + repeated;
      report(`requests while all runners ask: ${formatMs(done.times)}; ${done.repeats} reports were repeated`);
      report(`CPU of both processes: ${((cpu * 1000) / FLOOD).toFixed(1)} ms a job`);
      return [
        {
          name: 'jobs-at-once',
          target: `>= ${JOBS_A_MINUTE} a minute to ${RUNNERS} runners at 2 processes, none twice, none lost`,
          measured: `${rate.toFixed(0)} a minute, ${twice} twice, ${lost} lost`,
          holds: rate >= JOBS_A_MINUTE && twice === 0 && lost === 0,
        },
      ];
    }),
};

async function getCpuSeconds(children: readonly Child[]): Promise<number> {
  const times = await Promise.all(children.map((child) => child.cpuMs()));
  return times.reduce<number>((sum, ms) => sum + (ms ?? 0), 0) / 1000;
}

/** A thousand jobs within a minute, evenly, to runners that acknowledge. No worker: it would queue the jobs itself. */
export const jobsAMinute: Bench = {
  name: 'jobs-a-minute',
  group: 'pipelines',
  run: (bench) =>
    withHandouts(bench, async (site, apis): Promise<Goal[]> => {
      const ids = await site.makeJobs((JOBS_A_MINUTE + WARM_UP) / PROJECTS);
      const [early, measured] = [ids.slice(0, WARM_UP), ids.slice(WARM_UP)];
      const pendingAt = new Map<number, number>();
      const done = await whileWorking(site, apis, { acknowledges: true }, async (begun) => {
        await site.queue(early);
        await untilDone(begun, WARM_UP);
        await sleep(1_000);
        begun.times.length = 0;
        const began = performance.now();
        const queued: Promise<void>[] = [];
        for (const [index, id] of measured.entries()) {
          await sleep(Math.max(0, began + index * EVERY_MS - performance.now()));
          queued.push(site.queue([id]).then((at) => void pendingAt.set(id, at)));
        }
        await Promise.all(queued);
        await untilDone(begun, ids.length);
        report(`the last job ended ${((performance.now() - began) / 1000).toFixed(1)} s after the first was pending`);
      });
      const waits = measured.map((id) => Math.max((done.cameAt.get(id) ?? Infinity) - (pendingAt.get(id) ?? 0), 0));
      const { lost } = await site.countFaults(ids);
      const twice = done.jobs.length - new Set(done.jobs).size;
      const p99 = quantile(done.times, 0.99);
      report(`${done.repeats} reports were repeated, ${done.late} hand-outs acknowledged too late`);
      report(`from pending to a runner: ${formatMs(waits)}`);
      return [
        {
          name: 'jobs-a-minute',
          target: `${JOBS_A_MINUTE} to ${RUNNERS} runners at 2 processes, none twice, none lost`,
          measured: `${done.jobs.length - WARM_UP}, ${twice} twice, ${lost} lost`,
          holds: twice === 0 && lost === 0,
        },
        {
          name: 'jobs-a-minute request',
          target: `p99 <= ${REQUEST_MS} ms`,
          measured: formatMs(done.times),
          holds: p99 <= REQUEST_MS,
        },
      ];
    }),
};

/** One job after the other, while the requests of all runners are held. */
export const heldPolls: Bench = {
  name: 'held-polls',
  group: 'pipelines',
  run: (bench) =>
    withHandouts(bench, async (site, apis): Promise<Goal[]> => {
      const ids = await site.makeJobs((SINGLE + WARM_UP) / PROJECTS);
      const waits: number[] = [];
      await whileWorking(site, apis, { acknowledges: false }, async (begun) => {
        for (const [index, id] of ids.entries()) {
          const pendingAt = await site.queue([id]);
          await untilDone(begun, index + 1);
          if (index >= WARM_UP) waits.push(Math.max((begun.cameAt.get(id) ?? Infinity) - pendingAt, 0));
          await sleep(PAUSE_MS);
        }
      });
      const [p50, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)];
      return [
        {
          name: 'held-polls',
          target: `p50 <= ${HELD_P50_MS} ms, p99 <= ${HELD_P99_MS} ms from the commit of a pending job to its runner`,
          measured: formatMs(waits),
          holds: p50 <= HELD_P50_MS && p99 <= HELD_P99_MS,
        },
      ];
    }),
};

/** Transactions of the database so far; each statement outside of one counts as one. */
async function countTransactions({ db }: BenchSite): Promise<number> {
  const { rows } = await db.query<{ count: string }>(
    `select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`,
  );
  return Number(rows[0]?.count);
}

/** Requests that a process holds, each asked again when it ends, as runners do. */
class HeldRequests {
  /** Answers other than 204. */
  wrong = 0;
  /** Requests that were answered. */
  ended = 0;
  /** Those that were answered before their time. */
  early = 0;
  #on = true;
  #all: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly site: HandoutSite,
    private readonly api: Child,
  ) {}

  /** Sends one after the other, since runners do not come at once. */
  async begin(): Promise<void> {
    const values = await Promise.all(this.site.tokens.map((token) => requestJob(this.api.url, token)));
    const all: Promise<void>[] = [];
    const began = performance.now();
    for (let index = 0; index < MOST_HELD; index += 1) {
      const value = values[index % RUNNERS]?.headers['x-gitlab-last-update'];
      all.push(this.#hold(this.site.tokens[index % RUNNERS]!, value));
      await sleep(Math.max(0, began + (index * BEGIN_MS) / MOST_HELD - performance.now()));
    }
    this.#all = Promise.all(all);
  }

  async #hold(token: string, last_update: unknown): Promise<void> {
    while (this.#on) {
      const { status, ms } = await requestJob(this.api.url, token, { last_update });
      this.ended += 1;
      if (this.#on && ms < SHORTEST_MS) this.early += 1;
      if (status === 204) continue;
      this.wrong += 1;
      // As runners do.
      if (this.#on) await sleep(AGAIN_MS);
    }
  }

  /** Resolves once all are answered. */
  async over(): Promise<void> {
    this.#on = false;
    await this.#all;
  }
}

/** A thousand requests that are held for a minute, and the stop of the process that holds them. */
export const heldPollsIdle: Bench = {
  name: 'held-polls-idle',
  group: 'pipelines',
  async run(bench): Promise<Goal[]> {
    const site = new HandoutSite(bench);
    await site.open();
    const api = await bench.api();
    try {
      await Promise.all(site.tokens.map((token) => requestJob(api.url, token)));
      await sleep(1_000);
      const before = await getMemory(api);
      const requests = new HeldRequests(site, api);
      await requests.begin();
      const held = { percent: 0, statements: 0 };
      const watchHeld = async (): Promise<void> => {
        await sleep(SETTLE_MS);
        const counted = await countTransactions(bench);
        held.percent = await getPercent(api, HELD_MS);
        held.statements = (await countTransactions(bench)) - counted;
      };
      let percent = 0;
      const watch = Promise.all([getPercent(api, IDLE_MS).then((whole) => (percent = whole)), watchHeld()]);
      const mib = (await highestWhile(watch, () => getMemory(api))) - before;
      report(`while none ends: ${held.percent.toFixed(2)} % CPU; in the whole minute ${requests.ended} were renewed`);
      const { early, wrong: refused } = requests;
      if (refused > 0) report(`${refused} were refused`);
      const began = performance.now();
      const stopped = api.stop();
      await requests.over();
      const ms = performance.now() - began;
      await stopped;
      return [
        {
          name: 'held-polls-idle',
          target: `< ${IDLE_PERCENT} % CPU and < ${IDLE_MIB} MiB for ${MOST_HELD} held requests in ${IDLE_MS / 1000} s`,
          measured: `${percent.toFixed(1)} %, ${mib.toFixed(0)} MiB, ${early} not held`,
          holds: percent < IDLE_PERCENT && mib < IDLE_MIB && early === 0,
        },
        {
          name: 'held-polls-idle statements',
          target: `none for a held request: < ${MOST_HELD / 10} in all in ${HELD_MS / 1000} s`,
          measured: String(held.statements),
          holds: held.statements < MOST_HELD / 10,
        },
        {
          name: 'held-polls-idle stop',
          target: `<= ${STOP_MS} ms until a process that stops has answered them all with 204`,
          measured: `${ms.toFixed(0)} ms, ${requests.wrong - refused} with something else`,
          holds: ms <= STOP_MS && requests.wrong === refused,
        },
      ];
    } finally {
      await api.stop();
      await site.close();
    }
  },
};

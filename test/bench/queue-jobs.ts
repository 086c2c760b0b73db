import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { openServices } from '../../shared/instance/process/services.js';
import { openWorkerQueue } from '../../shared/instance/pg-boss/queue-client.js';
import type { OpenServices } from '../../shared/core/context/open-services.js';
import { queueJob } from '../../shared/core/context/jobs.js';
import { databaseWork } from '../../shared/core/database/database-work.js';
import { domains } from '../../shared/domains.js';
import { handler } from '../../workers/core/handler.js';
import { RunningJobs } from '../../workers/instance/queue-jobs/running-jobs.js';
import { subscribe } from '../../workers/instance/queue-jobs/work.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import type { BenchSite } from './bench-site.js';
import { median, withSpread } from './statistics.js';

const JOBS = 20_000;
const BATCH = 100;
const LOOPS = 4;
const OF_BARE = 0.8;
const OF_GRAPHILE = 0.5;
const GIVE_UP_MS = 120_000;

interface Work {
  n: number;
}

const ours = queueJob<Work>('bench.ours', { category: 'database' });
const bare = queueJob<Work>('bench.bare', { category: 'database' });

/** Counts jobs as they are done, and resolves with the last one. */
function countdown() {
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(() => done.reject(new Error('Not every job was done.')), GIVE_UP_MS);
  let left = JOBS;
  const count = (jobs: number) => {
    left -= jobs;
    if (left > 0) return;
    clearTimeout(timer);
    done.resolve();
  };
  return { done: done.promise, count };
}

/** Jobs a second from the first fetch until the last one is done. */
async function getRate(start: () => Promise<void>, done: Promise<void>): Promise<number> {
  const began = performance.now();
  await start();
  await done;
  return JOBS / ((performance.now() - began) / 1000);
}

async function fill(site: BenchSite, services: OpenServices, kind: typeof ours) {
  await site.db.query('delete from pgboss.job where name = $1', [kind.name]);
  await services.jobs.sendAll(
    kind,
    Array.from({ length: JOBS }, (_, n) => ({ n })),
  );
  await site.db.query('vacuum analyze pgboss.job, job_attempts, queue_batches, queue_counters');
  await site.db.query('checkpoint');
}

async function rateOfOurs(site: BenchSite, services: OpenServices): Promise<number> {
  await site.db.query('truncate job_attempts');
  await fill(site, services, ours);
  const boss = await openWorkerQueue(site.config.databaseUrl, (error) => report(error.message));
  const { done, count } = countdown();
  const running = new RunningJobs();
  running.worker = { id: 1, name: 'bench:1' };
  const noop = handler<Work>({
    kind: ours,
    batchSize: BATCH,
    concurrency: LOOPS,
    handle: () => Promise.resolve(count(1)),
  });
  const rate = await getRate(async () => void (await subscribe(services, boss, noop, running)), done);
  await boss.stop({ graceful: true, close: true });
  await running.recorded();
  return rate;
}

async function rateOfBare(site: BenchSite, services: OpenServices): Promise<number> {
  await fill(site, services, bare);
  const boss = await openWorkerQueue(site.config.databaseUrl, (error) => report(error.message));
  const { done, count } = countdown();
  const options = { batchSize: BATCH, localConcurrency: LOOPS, burstWhenBatchFull: true, pollingIntervalSeconds: 1 };
  const start = async () => void (await boss.work(bare.name, options, (jobs) => Promise.resolve(count(jobs.length))));
  const rate = await getRate(start, done);
  await boss.stop({ graceful: true, close: true });
  return rate;
}

const quiet = new Logger(() => () => undefined);

async function rateOfGraphile(site: BenchSite): Promise<number> {
  const connectionString = site.config.databaseUrl;
  const utils = await makeWorkerUtils({ connectionString, logger: quiet });
  await utils.migrate();
  await utils.addJobs(Array.from({ length: JOBS }, (_, n) => ({ identifier: 'noop', payload: { n } })));
  await utils.release();
  await site.db.query('vacuum analyze');
  await site.db.query('checkpoint');
  const { done, count } = countdown();
  const worker = { concurrentJobs: 24, localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
  const start = async () => {
    const runner = await run({
      preset: { worker: { connectionString, ...worker } },
      logger: quiet,
      noHandleSignals: true,
      taskList: { noop: () => count(1) },
    });
    void done.then(() => runner.stop());
  };
  return getRate(start, done);
}

/**
 * Jobs that do nothing: through the service's own wrapper, with attempts and context, compared with the bare library
 * and another.
 */
export const queueJobs: Bench = {
  name: 'queue-jobs',
  async run(site, { rounds }): Promise<Goal[]> {
    const services = await openServices(domains, { ...site.config, logLevel: 'silent' }, 'bench', {
      work: databaseWork.worker,
    });
    const rates: Record<'ours' | 'bare' | 'graphile', number[]> = { ours: [], bare: [], graphile: [] };
    try {
      for (const { name, queue } of [ours, bare]) await services.boss.createQueue(name, queue);
      for (let round = 0; round < rounds; round += 1) {
        rates.bare.push(await rateOfBare(site, services));
        rates.ours.push(await rateOfOurs(site, services));
        rates.graphile.push(await rateOfGraphile(site));
      }
    } finally {
      await services.close();
    }
    for (const [name, some] of Object.entries(rates)) report(`${name}: ${withSpread(some, 0, ' jobs/s')}`);
    const goal = (name: 'bare' | 'graphile', share: number): Goal => {
      const ratios = rates.ours.map((rate, round) => rate / (rates[name][round] as number));
      return {
        name: `queue-jobs, beside ${name}`,
        target: `>= ${share} of its rate`,
        measured: withSpread(ratios, 2, ''),
        holds: median(ratios) >= share,
      };
    };
    return [goal('bare', OF_BARE), goal('graphile', OF_GRAPHILE)];
  },
};

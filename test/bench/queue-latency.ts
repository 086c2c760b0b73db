import { setTimeout as sleep } from 'node:timers/promises';
import { databaseWork } from '../../shared/core/database/database-work.js';
import { queueJob } from '../../shared/core/context/jobs.js';
import { domains } from '../../shared/domains.js';
import { openWorkerQueue } from '../../shared/instance/pg-boss/queue-client.js';
import { openServices } from '../../shared/instance/process/services.js';
import { handler } from '../../workers/core/handler.js';
import { RunningJobs } from '../../workers/instance/queue-jobs/running-jobs.js';
import { subscribe } from '../../workers/instance/queue-jobs/work.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import { quantile } from './statistics.js';

const SAMPLES = 300;
const WARM_UP = 20;
const P50_MS = 15;
const P99_MS = 100;
/** Between two jobs, in milliseconds, and how much that varies: the worker is idle when the next one comes. */
const PAUSE_MS = 20;
const JITTER_MS = 40;
const GIVE_UP_MS = 10_000;

const kind = queueJob<Record<string, never>>('bench.latency', { category: 'database' });

const goal = (name: string, most: number, measured: number): Goal => ({
  name: `queue-latency ${name}`,
  target: `<= ${most} ms`,
  measured: `${measured.toFixed(1)} ms`,
  holds: measured <= most,
});

/** One job at a time through the real queue: from before it is sent until its handler runs, in one process. */
export const queueLatency: Bench = {
  name: 'queue-latency',
  async run(site): Promise<Goal[]> {
    const services = await openServices(domains, { ...site.config, logLevel: 'silent' }, 'bench', {
      work: databaseWork.worker,
    });
    await services.boss.createQueue(kind.name, kind.queue);
    const boss = await openWorkerQueue(site.config.databaseUrl, (error) => report(error.message));
    const running = new RunningJobs();
    running.worker = { id: 1, name: 'bench:1' };
    let started = Promise.withResolvers<number>();
    const begin = () => Promise.resolve(started.resolve(performance.now()));
    const times: number[] = [];
    try {
      await subscribe(services, boss, handler({ kind, batchSize: 10, handle: begin }), running);
      for (let sample = -WARM_UP; sample < SAMPLES; sample += 1) {
        await sleep(PAUSE_MS + Math.random() * JITTER_MS);
        started = Promise.withResolvers();
        const sentAt = performance.now();
        await services.jobs.send(kind, {});
        const startedAt = await Promise.race([started.promise, sleep(GIVE_UP_MS, Infinity, { ref: false })]);
        if (startedAt === Infinity) throw new Error('A job was not started.');
        if (sample >= 0) times.push(startedAt - sentAt);
      }
    } finally {
      await boss.stop({ graceful: true, close: true });
      await running.recorded();
      await site.db.query('delete from pgboss.job where name = $1', [kind.name]);
      await services.close();
    }
    return [goal('p50', P50_MS, quantile(times, 0.5)), goal('p99', P99_MS, quantile(times, 0.99))];
  },
};

import type { Services } from '../../core/context/context.js';
import type { Database } from '../../core/database/database.js';
import { jobsActive, jobsLatency, jobsReady } from '../../core/metrics/instruments.js';
import { readQueueLoads } from '../pg-boss/queue-load.js';
import type { QueueLoad } from '../pg-boss/queue-load.js';

/** Counts that are this old are good enough, in milliseconds. */
const FRESH_MS = 5000;
/** How long a metrics request waits for new values if there are previous ones. */
const TIMEOUT_MS = 20;

interface Measured {
  measures: QueueLoad[];
  at: number;
  under_way: Promise<void> | null;
}

const measures = new WeakMap<Database, Measured>();

async function measure({ db, log }: Services, measured: Measured): Promise<void> {
  try {
    measured.measures = await readQueueLoads(db);
    measured.at = performance.now();
  } catch (error) {
    // Old counts would look like good ones.
    measured.measures = [];
    log.warn({ err: error }, 'queues could not be measured');
  }
}

const soon = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, TIMEOUT_MS).unref();
  });

/** What each queue has waiting and active, a few seconds old at most. A large backlog is counted once, for everybody. */
async function getMeasures(services: Services): Promise<readonly QueueLoad[]> {
  let measured = measures.get(services.db);
  if (!measured) {
    measured = { measures: [], at: -Infinity, under_way: null };
    measures.set(services.db, measured);
  }
  const age = performance.now() - measured.at;
  if (age > FRESH_MS) {
    const own = measured;
    own.under_way ??= measure(services, own).finally(() => {
      own.under_way = null;
    });
    await (age < 12 * FRESH_MS ? Promise.race([own.under_way, soon()]) : own.under_way);
  }
  return measured.measures;
}

/** Sets the gauges of queues; of a database that does not answer there are none. */
export async function measureQueues(services: Services): Promise<void> {
  const measures = await getMeasures(services);
  for (const gauge of [jobsReady, jobsLatency, jobsActive]) gauge.reset();
  for (const { name: queue, ready, latency_seconds: latency, active } of measures) {
    jobsReady.set({ queue }, ready);
    jobsLatency.set({ queue }, Math.max(latency, 0));
    jobsActive.set({ queue }, active);
  }
}

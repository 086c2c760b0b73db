import { instance, operation } from '../../core/operations/operation.js';
import type { Context } from '../../core/context/context.js';
import { jobOverview } from '../pg-boss/job-stats.js';
import { readQueues } from '../pg-boss/list-queues.js';
import type { QueueRecord } from '../pg-boss/list-queues.js';
import { queueWorkers } from '../pg-boss/queue-worker.finder.js';
import type { QueueWorkerRecord } from '../pg-boss/queue-worker.finder.js';

/** The public API's reads: for administrators, on instances of one's own (jobs-admin.md section 1). */
const measuring = {
  resource: instance,
  authentication: 'administrator',
  kind: 'read',
  offerings: ['self-managed'],
  statements: 5,
} as const;

const queueMetrics = (queues: readonly QueueRecord[]) => ({
  queues: Object.fromEntries(
    queues.map(({ name, ready, latency_seconds: latency }) => [name, { backlog: ready, latency }]),
  ),
});

const alive = async (ctx: Context): Promise<QueueWorkerRecord[]> =>
  (await queueWorkers(ctx)).filter(({ stale }) => !stale);

const jobStats = async (ctx: Context) => {
  const { processed, failed, enqueued, dead } = await jobOverview(ctx);
  return { jobs: { processed, failed, enqueued, dead } };
};

/** Backlog and latency by queue. */
export const getQueueMetrics = operation({
  name: 'getSidekiqQueueMetrics',
  summary: 'Read backlog and latency of the job queues',
  ...measuring,
  run: async (ctx) => queueMetrics(await readQueues(ctx, {})),
});

/** The worker processes that live. */
export const getProcessMetrics = operation({
  name: 'getSidekiqProcessMetrics',
  summary: 'Read the worker processes',
  ...measuring,
  run: async (ctx) => ({ processes: await alive(ctx) }),
});

/** Counts of jobs. */
export const getJobStats = operation({
  name: 'getSidekiqJobStats',
  summary: 'Read counts of jobs',
  ...measuring,
  run: (ctx) => jobStats(ctx),
});

/** All three together. */
export const getCompoundMetrics = operation({
  name: 'getSidekiqCompoundMetrics',
  summary: 'Read queues, worker processes and counts of jobs',
  ...measuring,
  async run(ctx) {
    const [queues, processes, stats] = await Promise.all([readQueues(ctx, {}), alive(ctx), jobStats(ctx)]);
    return { ...queueMetrics(queues), processes, ...stats };
  },
});

import { out, shape } from '../../core/operations/shape.js';
import { publicProcessShape } from '../queues/queue.shape.js';
import type { JobStats } from '../pg-boss/job-stats.js';
import type { QueueWorkerRecord } from '../pg-boss/queue-worker.finder.js';

interface Queues {
  queues: Record<string, { backlog: number; latency: number }>;
}
interface Processes {
  processes: QueueWorkerRecord[];
}
interface Jobs {
  jobs: JobStats;
}

const number = { type: 'integer' };

const queues = {
  queues: out.any<Queues>((metrics) => metrics.queues, {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { backlog: number, latency: { ...number, description: 'Seconds.' } },
      required: ['backlog', 'latency'],
    },
  }),
};

const processes = {
  processes: out.records<Processes, QueueWorkerRecord>(publicProcessShape, (found) => found.processes),
};

const stats = shape<JobStats>('SidekiqJobs', {
  processed: out.integer((jobs) => jobs.processed, { description: 'Attempts that ended.' }),
  failed: out.integer((jobs) => jobs.failed, { description: 'Attempts that failed.' }),
  enqueued: out.integer((jobs) => jobs.enqueued, { description: 'Jobs that wait and are due.' }),
  dead: out.integer((jobs) => jobs.dead, { description: 'Jobs that failed for good.' }),
});

const jobs = { jobs: out.record<Jobs, JobStats>(stats, (found) => found.jobs) };

export const queueMetricsShape = shape<Queues>('SidekiqQueueMetrics', queues);
export const processMetricsShape = shape<Processes>('SidekiqProcessMetrics', processes);
export const jobStatsShape = shape<Jobs>('SidekiqJobStats', jobs);
export const compoundMetricsShape = shape<Queues & Processes & Jobs>('SidekiqCompoundMetrics', {
  ...queues,
  ...processes,
  ...jobs,
});

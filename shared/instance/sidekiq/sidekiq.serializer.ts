import { out, serializer } from '../../core/operations/serializer.js';
import { publicProcessSerializer } from '../queues/queue.serializer.js';
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
  processes: out.records<Processes, QueueWorkerRecord>(publicProcessSerializer, (found) => found.processes),
};

const stats = serializer<JobStats>('SidekiqJobs', {
  processed: out.integer((jobs) => jobs.processed, { description: 'Attempts that ended.' }),
  failed: out.integer((jobs) => jobs.failed, { description: 'Attempts that failed.' }),
  enqueued: out.integer((jobs) => jobs.enqueued, { description: 'Jobs that wait and are due.' }),
  dead: out.integer((jobs) => jobs.dead, { description: 'Jobs that failed for good.' }),
});

const jobs = { jobs: out.record<Jobs, JobStats>(stats, (found) => found.jobs) };

export const queueMetricsSerializer = serializer<Queues>('SidekiqQueueMetrics', queues);
export const processMetricsSerializer = serializer<Processes>('SidekiqProcessMetrics', processes);
export const jobStatsSerializer = serializer<Jobs>('SidekiqJobStats', jobs);
export const compoundMetricsSerializer = serializer<Queues & Processes & Jobs>('SidekiqCompoundMetrics', {
  ...queues,
  ...processes,
  ...jobs,
});

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
      properties: { backlog: number, latency: { ...number, description: 'Latency of the queue, in seconds.' } },
      required: ['backlog', 'latency'],
    },
  }),
};

const processes = {
  processes: out.records<Processes, QueueWorkerRecord>(publicProcessSerializer, (found) => found.processes),
};

const stats = serializer<JobStats>('SidekiqJobs', {
  processed: out.integer((jobs) => jobs.processed, { description: 'Number of attempts that ended.' }),
  failed: out.integer((jobs) => jobs.failed, { description: 'Number of attempts that failed.' }),
  enqueued: out.integer((jobs) => jobs.enqueued, { description: 'Number of jobs that are waiting and due.' }),
  dead: out.integer((jobs) => jobs.dead, { description: 'Number of jobs that failed permanently.' }),
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

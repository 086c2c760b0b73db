import { out, shape } from '../../core/operations/shape.js';
import type { JobOverview } from '../pg-boss/job-stats.js';

/** How many jobs a search finds. */
export const jobCountShape = shape<{ count: number; limited: boolean }>('QueueJobCount', {
  count: out.integer((found) => found.count),
  limited: out.boolean((found) => found.limited, { description: 'Whether there are more than are counted.' }),
});

/** Counts over all queues. */
export const jobOverviewShape = shape<JobOverview>('QueueJobOverview', {
  processed: out.integer((stats) => stats.processed, { description: 'Attempts that ended, ever.' }),
  failed: out.integer((stats) => stats.failed, { description: 'Attempts that failed, ever.' }),
  enqueued: out.integer((stats) => stats.enqueued, { description: 'Jobs that wait and are due.' }),
  deferred: out.integer((stats) => stats.deferred),
  active: out.integer((stats) => stats.active),
  dead: out.integer((stats) => stats.dead, { description: 'Jobs that failed for good.' }),
  failed_last_hour: out.integer((stats) => stats.failed_last_hour, { description: 'Attempts.' }),
  oldest_waiting_seconds: out.integer((stats) => stats.oldest_waiting_seconds),
  queues: out.integer((stats) => stats.queues),
  paused_queues: out.integer((stats) => stats.paused_queues),
});

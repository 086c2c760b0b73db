import { out, serializer } from '../../core/operations/serializer.js';
import type { QueueRecord } from '../pg-boss/list-queues.js';
import type { QueueWorkerRecord } from '../pg-boss/queue-worker.finder.js';
import type { RecurringRecord } from '../pg-boss/recurring-jobs.js';
import type { QueueSeries, SeriesPoint } from '../pg-boss/queue-series.js';
import type { JobOverview } from '../pg-boss/job-stats.js';

const throughputSerializer = serializer<QueueRecord>('QueueThroughput', {
  completed_per_minute: out.number((queue) => queue.completed_per_minute),
  failed_per_minute: out.number((queue) => queue.failed_per_minute, { description: 'Attempts.' }),
});

const queueFields = {
  name: out.text((queue: QueueRecord) => queue.name),
  ready: out.integer((queue: QueueRecord) => queue.ready, { description: 'Jobs that wait and are due.' }),
  deferred: out.integer((queue: QueueRecord) => queue.deferred, { description: 'Jobs that wait for their time.' }),
  blocked: out.integer((queue: QueueRecord) => queue.blocked, { description: 'Jobs that wait for others.' }),
  active: out.integer((queue: QueueRecord) => queue.active),
  failed: out.integer((queue: QueueRecord) => queue.failed, { description: 'Jobs that failed for good.' }),
  total: out.integer((queue: QueueRecord) => queue.total, {
    description: 'All that are stored; of those that are done as of the last look of a worker.',
  }),
  latency_seconds: out.integer((queue: QueueRecord) => queue.latency_seconds, {
    description: 'How long the oldest job that is due has waited.',
  }),
  paused: out.boolean((queue: QueueRecord) => queue.paused),
  policy: out.text((queue: QueueRecord) => queue.policy),
  dead_letter: out.nullableText((queue: QueueRecord) => queue.dead_letter, {
    description: 'The queue that gets what no try could do.',
  }),
  throughput: out.record(throughputSerializer, (queue: QueueRecord) => queue),
};

/** A queue in a list (jobs-admin.md section 5). */
export const queueSerializer = serializer<QueueRecord>('Queue', queueFields);

const retryPolicySerializer = serializer<QueueRecord>('QueueRetryPolicy', {
  limit: out.integer((queue) => queue.retry_limit, { description: 'Tries after the first.' }),
  delay: out.integer((queue) => queue.retry_delay, { description: 'Seconds.' }),
  backoff: out.boolean((queue) => queue.retry_backoff, { description: 'Whether the delay grows.' }),
  delay_max: out.nullableInteger((queue) => queue.retry_delay_max, { description: 'Seconds.' }),
});

const pauseSerializer = serializer<QueueRecord>('QueuePause', {
  by: out.nullableText((queue) => queue.paused_by, { description: 'Username.' }),
  at: out.nullableInstant((queue) => queue.paused_at),
  reason: out.nullableText((queue) => queue.pause_reason),
});

/** One queue, with what is set for it. */
export const queueDetailSerializer = serializer<QueueRecord>('QueueDetail', {
  ...queueFields,
  retry_policy: out.record(retryPolicySerializer, (queue) => queue),
  expire_seconds: out.integer((queue) => queue.expire_seconds, { description: 'What one try may take.' }),
  heartbeat_seconds: out.nullableInteger((queue) => queue.heartbeat_seconds),
  retention_seconds: out.integer((queue) => queue.retention_seconds, { description: 'How long a job may wait.' }),
  deletion_seconds: out.integer((queue) => queue.deletion_seconds, { description: 'How long it stays once done.' }),
  pause: out.nullableRecord(pauseSerializer, (queue) => (queue.paused ? queue : null)),
});

/** How a queue stood, and what was done since the point before. */
export const seriesPointSerializer = serializer<SeriesPoint>('QueueSeriesPoint', {
  at: out.instant((point) => point.at),
  ready: out.integer((point) => point.ready),
  active: out.integer((point) => point.active),
  failed: out.integer((point) => point.failed),
  completed_delta: out.integer((point) => point.completed_delta, { description: 'Attempts that ended well.' }),
  failed_delta: out.integer((point) => point.failed_delta, { description: 'Attempts that failed.' }),
  latency: out.integer((point) => point.latency, { description: 'Seconds.' }),
});

const counts = { type: 'array', items: { type: 'integer' } };

/** What was done of a queue's jobs in each minute of the last hour. */
export const queueSeriesSerializer = serializer<QueueSeries>('QueueSeries', {
  queue: out.text((series) => series.queue),
  completed: out.any((series) => series.completed, counts, { description: 'Attempts that ended well.' }),
  failed: out.any((series) => series.failed, counts, { description: 'Attempts that failed.' }),
});

const processFields = {
  hostname: out.text((worker: QueueWorkerRecord) => worker.hostname),
  pid: out.integer((worker: QueueWorkerRecord) => worker.pid),
  tag: out.text((worker: QueueWorkerRecord) => worker.tag),
  started_at: out.instant((worker: QueueWorkerRecord) => worker.started_at),
  queues: out.texts((worker: QueueWorkerRecord) => worker.queues),
  // Workers have no labels; the key is the public API's.
  labels: out.texts<QueueWorkerRecord>(() => []),
  concurrency: out.integer((worker: QueueWorkerRecord) => worker.concurrency),
  busy: out.integer((worker: QueueWorkerRecord) => worker.busy, { description: 'Jobs in hand.' }),
};

/** A worker process as the public API shows it (jobs-admin.md section 1). */
export const publicProcessSerializer = serializer<QueueWorkerRecord>('SidekiqProcess', processFields);

/** A worker process. */
export const processSerializer = serializer<QueueWorkerRecord>('QueueProcess', {
  ...processFields,
  version: out.text((worker) => worker.version),
  last_seen: out.instant((worker) => worker.last_seen_at),
  stale: out.boolean((worker) => worker.stale, { description: 'Gone, or not seen for 30 s.' }),
});

/** A recurring job (jobs-admin.md section 5). */
export const recurringSerializer = serializer<RecurringRecord>('QueueSchedule', {
  name: out.text((job) => job.name, { description: 'The queue.' }),
  key: out.text((job) => job.key),
  every_seconds: out.integer((job) => job.every_seconds),
  feature_category: out.text((job) => job.feature_category),
  paused: out.boolean((job) => job.paused, { description: 'Whether its queue is.' }),
  next_runs: out.any((job) => job.next_runs.map((at) => at.toISOString()), {
    type: 'array',
    items: { type: 'string', format: 'date-time' },
  }),
  last_run_at: out.nullableInstant((job) => job.last_run_at),
  last_result: out.nullableText((job) => job.last_result, {
    description: 'State of the newest job: `created`, `retry`, `active`, `completed`, `cancelled` or `failed`.',
  }),
  last_job_id: out.nullableText((job) => job.last_job_id),
});

/** How many jobs a search finds. */
export const jobCountSerializer = serializer<{ count: number; limited: boolean }>('QueueJobCount', {
  count: out.integer((found) => found.count),
  limited: out.boolean((found) => found.limited, { description: 'Whether there are more than are counted.' }),
});

/** Counts over all queues. */
export const jobOverviewSerializer = serializer<JobOverview>('QueueJobOverview', {
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

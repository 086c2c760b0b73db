import { out, serializer } from '../../core/operations/serializer.js';
import type { QueueRecord } from '../pg-boss/list-queues.js';
import type { QueueWorkerRecord } from '../pg-boss/queue-worker.finder.js';
import type { RecurringRecord } from '../pg-boss/recurring-jobs.js';
import type { QueueSeries, SeriesPoint } from '../pg-boss/queue-series.js';
import type { JobOverview } from '../pg-boss/job-stats.js';

const throughputSerializer = serializer<QueueRecord>('QueueThroughput', {
  completed_per_minute: out.number((queue) => queue.completed_per_minute),
  failed_per_minute: out.number((queue) => queue.failed_per_minute, {
    description: 'Number of failed attempts per minute.',
  }),
});

const queueFields = {
  name: out.text((queue: QueueRecord) => queue.name),
  ready: out.integer((queue: QueueRecord) => queue.ready, { description: 'Number of jobs that are waiting and due.' }),
  deferred: out.integer((queue: QueueRecord) => queue.deferred, {
    description: 'Number of jobs that are waiting for their scheduled time.',
  }),
  blocked: out.integer((queue: QueueRecord) => queue.blocked, {
    description: 'Number of jobs that are waiting for other jobs.',
  }),
  active: out.integer((queue: QueueRecord) => queue.active),
  failed: out.integer((queue: QueueRecord) => queue.failed, { description: 'Number of jobs that failed permanently.' }),
  total: out.integer((queue: QueueRecord) => queue.total, {
    description: 'Number of stored jobs; finished jobs are included as of the last check by a worker.',
  }),
  latency_seconds: out.integer((queue: QueueRecord) => queue.latency_seconds, {
    description: 'Number of seconds that the oldest due job has waited.',
  }),
  paused: out.boolean((queue: QueueRecord) => queue.paused),
  policy: out.text((queue: QueueRecord) => queue.policy),
  dead_letter: out.nullableText((queue: QueueRecord) => queue.dead_letter, {
    description: 'Queue that receives jobs that failed in all attempts.',
  }),
  throughput: out.record(throughputSerializer, (queue: QueueRecord) => queue),
};

/** A queue in a list (jobs-admin.md section 5). */
export const queueSerializer = serializer<QueueRecord>('Queue', queueFields);

const retryPolicySerializer = serializer<QueueRecord>('QueueRetryPolicy', {
  limit: out.integer((queue) => queue.retry_limit, { description: 'Number of attempts after the first.' }),
  delay: out.integer((queue) => queue.retry_delay, { description: 'Delay before a retry, in seconds.' }),
  backoff: out.boolean((queue) => queue.retry_backoff, { description: 'Indicates the delay grows with each attempt.' }),
  delay_max: out.nullableInteger((queue) => queue.retry_delay_max, {
    description: 'Maximum delay before a retry, in seconds.',
  }),
});

const pauseSerializer = serializer<QueueRecord>('QueuePause', {
  by: out.nullableText((queue) => queue.paused_by, { description: 'Username of the user who paused the queue.' }),
  at: out.nullableInstant((queue) => queue.paused_at),
  reason: out.nullableText((queue) => queue.pause_reason),
});

/** One queue, with its settings. */
export const queueDetailSerializer = serializer<QueueRecord>('QueueDetail', {
  ...queueFields,
  retry_policy: out.record(retryPolicySerializer, (queue) => queue),
  expire_seconds: out.integer((queue) => queue.expire_seconds, {
    description: 'Number of seconds that one attempt may take.',
  }),
  heartbeat_seconds: out.nullableInteger((queue) => queue.heartbeat_seconds),
  retention_seconds: out.integer((queue) => queue.retention_seconds, {
    description: 'Number of seconds that a job may wait.',
  }),
  deletion_seconds: out.integer((queue) => queue.deletion_seconds, {
    description: 'Number of seconds that a finished job is retained.',
  }),
  pause: out.nullableRecord(pauseSerializer, (queue) => (queue.paused ? queue : null)),
});

/** How a queue stood, and what was done since the point before. */
export const seriesPointSerializer = serializer<SeriesPoint>('QueueSeriesPoint', {
  at: out.instant((point) => point.at),
  ready: out.integer((point) => point.ready),
  active: out.integer((point) => point.active),
  failed: out.integer((point) => point.failed),
  completed_delta: out.integer((point) => point.completed_delta, {
    description: 'Number of attempts that succeeded since the previous point.',
  }),
  failed_delta: out.integer((point) => point.failed_delta, {
    description: 'Number of attempts that failed since the previous point.',
  }),
  latency: out.integer((point) => point.latency, { description: 'Latency of the queue, in seconds.' }),
});

const counts = { type: 'array', items: { type: 'integer' } };

/** What was done of a queue's jobs in each minute of the last hour. */
export const queueSeriesSerializer = serializer<QueueSeries>('QueueSeries', {
  queue: out.text((series) => series.queue),
  completed: out.any((series) => series.completed, counts, {
    description: 'Number of attempts that succeeded, for each minute of the last hour.',
  }),
  failed: out.any((series) => series.failed, counts, {
    description: 'Number of attempts that failed, for each minute of the last hour.',
  }),
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
  busy: out.integer((worker: QueueWorkerRecord) => worker.busy, { description: 'Number of jobs in progress.' }),
};

/** A worker process as the public API shows it (jobs-admin.md section 1). */
export const publicProcessSerializer = serializer<QueueWorkerRecord>('SidekiqProcess', processFields);

/** A worker process. */
export const processSerializer = serializer<QueueWorkerRecord>('QueueProcess', {
  ...processFields,
  version: out.text((worker) => worker.version),
  last_seen: out.instant((worker) => worker.last_seen_at),
  stale: out.boolean((worker) => worker.stale, {
    description: 'Indicates the process is gone, or has not been seen for 30 seconds.',
  }),
});

/** A recurring job (jobs-admin.md section 5). */
export const recurringSerializer = serializer<RecurringRecord>('QueueSchedule', {
  name: out.text((job) => job.name, { description: 'Name of the queue.' }),
  key: out.text((job) => job.key),
  every_seconds: out.integer((job) => job.every_seconds),
  feature_category: out.text((job) => job.feature_category),
  paused: out.boolean((job) => job.paused, { description: 'Indicates the queue is paused.' }),
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
  limited: out.boolean((found) => found.limited, { description: 'Indicates more jobs exist than are counted.' }),
});

/** Counts over all queues. */
export const jobOverviewSerializer = serializer<JobOverview>('QueueJobOverview', {
  processed: out.integer((stats) => stats.processed, { description: 'Number of attempts that have ever ended.' }),
  failed: out.integer((stats) => stats.failed, { description: 'Number of attempts that have ever failed.' }),
  enqueued: out.integer((stats) => stats.enqueued, { description: 'Number of jobs that are waiting and due.' }),
  deferred: out.integer((stats) => stats.deferred),
  active: out.integer((stats) => stats.active),
  dead: out.integer((stats) => stats.dead, { description: 'Number of jobs that failed permanently.' }),
  failed_last_hour: out.integer((stats) => stats.failed_last_hour, {
    description: 'Number of attempts that failed in the last hour.',
  }),
  oldest_waiting_seconds: out.integer((stats) => stats.oldest_waiting_seconds),
  queues: out.integer((stats) => stats.queues),
  paused_queues: out.integer((stats) => stats.paused_queues),
});

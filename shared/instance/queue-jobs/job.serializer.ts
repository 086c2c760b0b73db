import { out, serializer } from '../../core/operations/serializer.js';
import type { JobAttemptRecord } from '../pg-boss/job-attempt.finder.js';
import type { JobDetail } from './job-detail.js';
import type { QueueJobRecord } from '../pg-boss/job.finder.js';
import { JOB_STATES } from '../pg-boss/tables.js';

/** User, origin and subject of a job. Null in internal jobs without one. */
const contextSerializer = serializer<QueueJobRecord>('QueueJobContext', {
  user: out.nullableText((job) => job.user, { description: 'Username of the user who requested the job.' }),
  project: out.nullableText((job) => job.project, {
    description: 'Full path of the project, as of the time the job was sent.',
  }),
  root_namespace: out.nullableText((job) => job.root_namespace),
  caller_id: out.nullableText((job) => job.caller_id, { description: 'Operation or job that sent the job.' }),
  feature_category: out.nullableText((job) => job.feature_category),
  correlation_id: out.nullableText((job) => job.correlation_id, {
    description: 'ID of the request that the job originated from.',
  }),
});

const briefErrorSerializer = serializer<QueueJobRecord>('QueueJobBriefError', {
  class: out.nullableText((job) => job.error_class),
  message: out.nullableText((job) => job.error_message),
});

const errorSerializer = serializer<JobDetail>('QueueJobError', {
  class: out.nullableText((job) => job.error_class),
  message: out.nullableText((job) => job.error_message),
  stack: out.nullableText((job) => job.error_stack),
});

const hasError = (job: QueueJobRecord) => job.error_class !== null || job.error_message !== null;

const fields = {
  id: out.text((job: QueueJobRecord) => job.id),
  queue: out.text((job: QueueJobRecord) => job.queue),
  state: out.text((job: QueueJobRecord) => job.state, { enum: JOB_STATES }),
  blocked: out.boolean((job: QueueJobRecord) => job.blocked, {
    description: 'Indicates the job is waiting for other jobs.',
  }),
  priority: out.integer((job: QueueJobRecord) => job.priority),
  retry_count: out.integer((job: QueueJobRecord) => job.retry_count, {
    description: 'Number of attempts after the first so far.',
  }),
  retry_limit: out.integer((job: QueueJobRecord) => job.retry_limit),
  created_at: out.instant((job: QueueJobRecord) => job.created_at),
  start_after: out.instant((job: QueueJobRecord) => job.start_after, {
    description: 'Timestamp of when the job was or will be due.',
  }),
  started_at: out.nullableInstant((job: QueueJobRecord) => job.started_at),
  completed_at: out.nullableInstant((job: QueueJobRecord) => job.completed_at, {
    description: 'Timestamp of when the job ended.',
  }),
  context: out.record(contextSerializer, (job: QueueJobRecord) => job),
};

/** A job in a list: nothing of what it carries (jobs-admin.md section 5). */
export const queueJobSerializer = serializer<QueueJobRecord>('QueueJob', {
  ...fields,
  error: out.nullableRecord(briefErrorSerializer, (job) => (hasError(job) ? job : null), {
    description: 'Error of the last failed attempt, cut after 200 characters.',
  }),
});

const attemptSerializer = serializer<JobAttemptRecord>('QueueJobAttempt', {
  attempt: out.integer((attempt) => attempt.attempt, { description: 'Number of the attempt, from 1.' }),
  worker: out.text((attempt) => attempt.worker, { description: 'Host and process ID of the worker.' }),
  started_at: out.instant((attempt) => attempt.started_at),
  ended_at: out.nullableInstant((attempt) => attempt.ended_at),
  outcome: out.text((attempt) => attempt.outcome, {
    enum: ['running', 'completed', 'failed', 'cancelled', 'lost'],
  }),
  error_class: out.nullableText((attempt) => attempt.error_class),
  message: out.nullableText((attempt) => attempt.message),
  stack: out.nullableText((attempt) => attempt.stack),
});

/** A job with everything that may be seen of it. */
export const queueJobDetailSerializer = serializer<JobDetail>('QueueJobDetail', {
  ...fields,
  error: out.nullableRecord(errorSerializer, (job) => (hasError(job) ? job : null)),
  args: out.any(
    (job) => job.args.value,
    {},
    {
      description: 'Arguments of the job, without secrets; if longer than 32 KiB, the beginning of the JSON text.',
    },
  ),
  args_truncated: out.boolean((job) => job.args.truncated),
  output: out.any(
    (job) => job.output.value,
    {},
    {
      description:
        'Output of the last attempt, without secrets; if longer than 32 KiB, the beginning of the JSON text.',
    },
  ),
  output_truncated: out.boolean((job) => job.output.truncated),
  dead_letter: out.nullableText((job) => job.dead_letter, {
    description: 'Queue that receives the job if the job fails.',
  }),
  next_run_at: out.nullableInstant((job) => job.next_run_at),
  worker: out.nullableText((job) => job.worker, { description: 'Worker that runs the job, or ran the job last.' }),
  attempts: out.records(attemptSerializer, (job) => job.attempts),
});

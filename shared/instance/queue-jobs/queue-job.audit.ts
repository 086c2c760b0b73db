import type { AuditOf } from '../audit-events/audit-log.js';
import { auditedInstance } from '../audit-events/audit-note.js';
import type { AuditNote } from '../audit-events/audit-note.js';
import type { JobAction } from '../pg-boss/act-on-jobs.js';
import { withoutSecrets } from '../pg-boss/job-error.js';
import type { QueueJobEvents } from './queue-job.events.js';

const DONE: Record<JobAction, string> = {
  retry: 'Retried',
  cancel: 'Cancelled',
  resume: 'Resumed',
  delete: 'Deleted',
};

/** Names of the notes below, for those who list them. */
export const QUEUE_JOB_NOTES = [
  'queue_job_retry',
  'queue_job_cancel',
  'queue_job_resume',
  'queue_job_delete',
  'queue_jobs_bulk',
  'queue_jobs_bulk_asked',
  'queue_jobs_bulk_finished',
  'queue_jobs_bulk_cancelled',
  'queue_paused',
  'queue_resumed',
  'queue_schedule_run',
  'queue_jobs_deleted',
] as const;

const note = (
  event: (typeof QUEUE_JOB_NOTES)[number],
  target: { type: string; details: string },
  message: string,
): AuditNote => ({
  event,
  entity: auditedInstance,
  target: { ...target, id: null },
  // People write filters and reasons.
  message: withoutSecrets(message, []),
});

const jobs = { type: 'QueueJobs', details: 'jobs' };

/** ` of queue "x" and state ["failed"]`, or nothing. */
function filtered(filter: object | null): string {
  const conditions = Object.entries(filter ?? {}).filter(([, value]) => value !== undefined);
  if (conditions.length === 0) return '';
  return ` of ${conditions.map(([name, value]) => `${name.replaceAll('_', ' ')} ${JSON.stringify(value)}`).join(' and ')}`;
}

/** How actions on queues and jobs read in the audit log. */
export const queueJobAuditOf: AuditOf<QueueJobEvents> = {
  'queue_jobs.acted': ({ action, job }) =>
    note(
      `queue_job_${action}`,
      { type: 'QueueJob', details: job.id },
      `${DONE[action]} job ${job.id} of queue ${job.queue}`,
    ),
  'queue_jobs.dropped': null,
  'queue_jobs.bulk_done': ({ action, filter, matched, affected }) =>
    note('queue_jobs_bulk', jobs, `${DONE[action]} ${affected} of ${matched} jobs${filtered(filter)}`),
  'queue_jobs.bulk_asked': ({ bulk_id: id, action, filter, expected }) =>
    note('queue_jobs_bulk_asked', jobs, `Asked to ${action} ${expected} jobs${filtered(filter)} (bulk ${id})`),
  'queue_jobs.bulk_finished': ({ id, action, matched, affected }) =>
    note('queue_jobs_bulk_finished', jobs, `${DONE[action]} ${affected} of ${matched} jobs (bulk ${id})`),
  'queue_jobs.bulk_cancelled': ({ id, action, matched, affected }) =>
    note(
      'queue_jobs_bulk_cancelled',
      jobs,
      `Ended bulk ${id} early: ${DONE[action].toLowerCase()} ${affected} of ${matched} jobs by then`,
    ),
  'queue_jobs.queue_controlled': ({ queue, paused, reason }) =>
    note(
      paused ? 'queue_paused' : 'queue_resumed',
      { type: 'Queue', details: queue },
      `${paused ? 'Paused' : 'Resumed'} queue ${queue}${reason === null ? '' : `: ${reason}`}`,
    ),
  'queue_jobs.schedule_run': ({ name, key, job_id: id }) =>
    note('queue_schedule_run', { type: 'QueueSchedule', details: `${name} ${key}` }, `Ran ${name} now as job ${id}`),
  'queue_jobs.deleted_by_context': ({ queue, filters, deleted }) =>
    note(
      'queue_jobs_deleted',
      { type: 'Queue', details: queue },
      `Deleted ${deleted} waiting jobs of queue ${queue}${filtered(filters)}`,
    ),
};

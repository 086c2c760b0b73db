import type { Domain } from '../core/domain.js';
import { AuditEvent } from './audit-events/audit-event.entity.js';
import { JobAttempt } from './queue-jobs/job-attempt.entity.js';
import { QueueBatch } from './queue-jobs/queue-batch.entity.js';
import { QueueBulk } from './queue-jobs/queue-bulk.entity.js';
import { QueueControl } from './queue-jobs/queue-control.entity.js';
import { QueueCounter } from './queue-jobs/queue-counter.entity.js';
import { QueueRecurringJob } from './queue-jobs/queue-recurring-job.entity.js';
import { QueueSample } from './queue-jobs/queue-sample.entity.js';
import { QueueWorker } from './queue-jobs/queue-worker.entity.js';
import { bulkJob, sampleJob, tendQueueJobs } from './queue-jobs/queue-job.jobs.js';
import { instanceAuditOf } from './instance.audit.js';

export const instanceDomain: Domain = {
  name: 'instance',
  entities: [
    AuditEvent,
    JobAttempt,
    QueueWorker,
    QueueBatch,
    QueueBulk,
    QueueCounter,
    QueueControl,
    QueueRecurringJob,
    QueueSample,
  ],
  jobKinds: [tendQueueJobs, sampleJob, bulkJob],
  // The audit log is told first of all: `openServices` puts it there, with what every domain says of its events.
  subscribers: [],
  auditOf: instanceAuditOf,
};

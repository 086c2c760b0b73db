import type { Domain } from '../core/domain.js';
import { removeObjects, sweepObjectStore } from '../core/object-store/object-store.jobs.js';
import { StoredObject } from '../core/object-store/stored-object.entity.js';
import { AuditEvent } from './audit-events/audit-event.entity.js';
import { StoredPicture } from './avatars/picture.entity.js';
import { JobAttempt } from './queue-workers/job-attempt.entity.js';
import { QueueBatch } from './queue-workers/queue-batch.entity.js';
import { QueueBulk } from './queue-bulks/queue-bulk.entity.js';
import { QueueControl } from './queues/queue-control.entity.js';
import { QueueCounter } from './queue-workers/queue-counter.entity.js';
import { QueueRecurringJob } from './queues/queue-recurring-job.entity.js';
import { QueueSample } from './queues/queue-sample.entity.js';
import { QueueWorker } from './queue-workers/queue-worker.entity.js';
import { RefusedRequest } from './refused-requests/refused-request.entity.js';
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
    RefusedRequest,
    StoredPicture,
    StoredObject,
  ],
  jobKinds: [tendQueueJobs, sampleJob, bulkJob, removeObjects, sweepObjectStore],
  // The audit log is told first of all: `openServices` puts it there, with what every domain says of its events.
  subscribers: [],
  auditOf: instanceAuditOf,
};

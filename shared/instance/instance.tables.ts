/* The tables of this domain: a line for each file of entities. */
export { StoredObject } from '../core/stored-files/stored-object.entity.js';
export { InstanceSetting } from './application-settings/instance-setting.entity.js';
export { AuditEvent } from './audit-events/audit-event.entity.js';
export { StoredPicture } from './avatars/picture.entity.js';
export { JobAttempt } from './pg-boss/job-attempt.entity.js';
export { QueueBatch } from './pg-boss/queue-batch.entity.js';
export { QueueCounter } from './pg-boss/queue-counter.entity.js';
export { QueueWorker } from './pg-boss/queue-worker.entity.js';
export { InstanceIdentity, InstanceQueue, InstanceSchema } from './process/instance-rows.entity.js';
export { QueueBulk } from './queue-bulks/queue-bulk.entity.js';
export { QueueControl, QueueRecurringJob, QueueSample } from './queues/queue.entity.js';
export { RefusedRequest } from './refused-requests/refused-request.entity.js';

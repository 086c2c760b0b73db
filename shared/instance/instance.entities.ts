import type { TablesOf } from '../core/database/tables.js';
import { StoredObject } from '../core/stored-files/stored-object.entity.js';
import { AuditEvent } from './audit-events/audit-event.entity.js';
import { StoredPicture } from './avatars/picture.entity.js';
import { JobAttempt } from './pg-boss/job-attempt.entity.js';
import { QueueBatch } from './pg-boss/queue-batch.entity.js';
import { QueueBulk } from './queue-bulks/queue-bulk.entity.js';
import { QueueControl } from './queues/queue-control.entity.js';
import { QueueCounter } from './pg-boss/queue-counter.entity.js';
import { QueueRecurringJob } from './queues/queue-recurring-job.entity.js';
import { QueueSample } from './queues/queue-sample.entity.js';
import { QueueWorker } from './pg-boss/queue-worker.entity.js';
import { RefusedRequest } from './refused-requests/refused-request.entity.js';
import { InstanceSetting } from './application-settings/instance-setting.entity.js';
import { InstanceIdentity, InstanceQueue, InstanceSchema } from './process/instance-rows.entity.js';

/** The tables of this domain. */
export const instanceEntities = [
  AuditEvent,
  InstanceIdentity,
  InstanceQueue,
  InstanceSchema,
  InstanceSetting,
  JobAttempt,
  QueueBatch,
  QueueBulk,
  QueueControl,
  QueueCounter,
  QueueRecurringJob,
  QueueSample,
  QueueWorker,
  RefusedRequest,
  StoredObject,
  StoredPicture,
] as const;

/** What a query of this domain may name: its tables and those of the domains below. */
export interface InstanceDatabase extends TablesOf<(typeof instanceEntities)[number]> {}

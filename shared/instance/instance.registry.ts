import type { Domain } from '../core/domain.js';
import { allReadings } from './audit-events/audit-log.js';
import { instanceEntities } from './instance.entities.js';
import { removeObjects, sweepObjectStore } from '../core/stored-files/object-store.jobs.js';
import { bulkJob, sampleJob, tendQueueJobs } from './queue-jobs/queue-job.jobs.js';
import * as readings from './instance.audit.js';

export const instanceDomain: Domain = {
  name: 'instance',
  entities: instanceEntities,
  jobKinds: [tendQueueJobs, sampleJob, bulkJob, removeObjects, sweepObjectStore],
  // The audit log comes first: `openServices` adds it, with the audit readings of every domain's events.
  subscribers: [],
  auditOf: allReadings(readings),
};

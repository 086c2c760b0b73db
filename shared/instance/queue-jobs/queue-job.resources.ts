import { presentText, text } from '../../core/operations/fields.js';
import type { Resource } from '../../core/operations/operation.js';
import { readJob } from './job-detail.js';
import type { JobDetail } from './job-detail.js';
import { findQueue } from '../pg-boss/list-queues.js';
import type { QueueRecord } from '../pg-boss/list-queues.js';
import { findRecurring } from '../pg-boss/recurring-jobs.js';
import type { RecurringRecord } from '../pg-boss/recurring-jobs.js';

/** A queue by its name, the library's own included. */
export const queueResource: Resource<QueueRecord> = {
  noun: 'Queue',
  params: {
    queue: presentText()
      .describe('Name of the queue.')
      .meta({ examples: ['queue_jobs.tend'] }),
  },
  find: (ctx, { queue }) => findQueue(ctx, queue as string),
};

/** A job by its id. */
export const jobResource: Resource<JobDetail> = {
  noun: 'Job',
  params: {
    id: text()
      .describe('ID of the job.')
      .meta({ examples: ['5f7b0c1e-8d5a-4b7e-9c43-0c7d0c7c2f11'] }),
  },
  find: (ctx, { id }) => readJob(ctx, id as string),
};

/** A recurring job by its queue and key. */
export const recurringResource: Resource<RecurringRecord> = {
  noun: 'Schedule',
  params: {
    name: presentText()
      .describe('Name of the queue.')
      .meta({ examples: ['queue_jobs.tend'] }),
    key: presentText()
      .describe('Key of the recurring job.')
      .meta({ examples: ['recurring'] }),
  },
  find: (ctx, { name, key }) => findRecurring(ctx, name as string, key as string),
};

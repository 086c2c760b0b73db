import { queueJob } from '../../core/jobs.js';

/** Removes what is known of jobs and workers that are gone. */
export const tendQueueJobs = queueJob<Record<string, never>>('queue_jobs.tend', { category: 'database' });

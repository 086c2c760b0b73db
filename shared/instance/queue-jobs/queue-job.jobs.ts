import { queueJob } from '../../core/context/jobs.js';

const category = 'database';

/** Deletes data about jobs and workers that no longer exist. */
export const tendQueueJobs = queueJob<Record<string, never>>('queue_jobs.tend', { category, everySeconds: 3600 });

/** Notes how many jobs each queue has, and how many were done. */
export const sampleJob = queueJob<Record<string, never>>('queue_jobs.sample', { category, everySeconds: 60 });

/** Runs a bulk action of an administrator in steps. */
export const bulkJob = queueJob<{ bulk_id: number }>('queue_jobs.bulk', { category, expireInSeconds: 1800 });

import type { Job } from './queries.js';

/** States in which a job can be canceled. */
const CANCELABLE: ReadonlySet<string> = new Set([
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'scheduled',
]);
const RETRYABLE: ReadonlySet<string> = new Set(['success', 'failed', 'canceled']);
const PLAYABLE: ReadonlySet<string> = new Set(['manual', 'scheduled']);
const ENDED: ReadonlySet<string> = new Set(['success', 'failed', 'canceled']);

/** Whether a job comes from the configuration file: executors report the others. */
export const isFromFile = ({ needs }: Pick<Job, 'needs'>): boolean => needs !== null;

export const isCancelable = (job: Job): boolean => isFromFile(job) && CANCELABLE.has(job.status);
export const isRetryable = (job: Job): boolean => isFromFile(job) && RETRYABLE.has(job.status);
export const isPlayable = (job: Job): boolean => isFromFile(job) && PLAYABLE.has(job.status);

/** Whether it may have a log that can be erased. */
export const isErasable = (job: Job): boolean => isFromFile(job) && ENDED.has(job.status) && job.erased_at === null;

/** Whether a runner has the job. */
export const isRunning = ({ status }: Pick<Job, 'status'>): boolean => status === 'running' || status === 'canceling';

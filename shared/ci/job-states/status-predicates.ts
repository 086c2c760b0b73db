/*
 * What the states of jobs and pipelines mean (ci-execution.md 8): every question about a state is answered here.
 */

/** States of jobs and pipelines. */
export type Status =
  | 'created'
  | 'waiting_for_resource'
  | 'preparing'
  | 'waiting_for_callback'
  | 'pending'
  | 'running'
  | 'canceling'
  | 'manual'
  | 'scheduled'
  | 'success'
  | 'failed'
  | 'canceled'
  | 'skipped';

/** States in which something may still happen. */
export const ALIVE_STATUSES: readonly string[] = [
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'canceling',
  'manual',
  'scheduled',
];

/** States that only a retry leaves. */
export const FINAL_STATUSES: readonly Status[] = ['success', 'failed', 'canceled', 'skipped'];

/** States of a job of a configuration that a cancel ends; one that waits for a user stays. */
export const CANCELABLE_STATUSES: readonly Status[] = [
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'scheduled',
];

/** States of a pipeline in which no job has begun: whatever has begun is not known to be interruptible. */
export const UNSTARTED_STATUSES: readonly Status[] = [
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
];

/** States of a job that a user may start. */
const PLAYABLE_STATUSES: readonly Status[] = ['manual', 'scheduled'];

/** States of a job that a user may have done again. */
const RETRYABLE_STATUSES: readonly Status[] = ['success', 'failed', 'canceled'];

/** States that a retry of the whole pipeline does again. */
const UNSUCCESSFUL_STATUSES: readonly Status[] = ['failed', 'canceled'];

/** States of a job that will still want the resource of its group. */
export const UPCOMING_STATUSES: readonly Status[] = ['created', 'scheduled', 'waiting_for_resource'];

/** Groups of pipeline states (delivery-resources.md section 3). */
const ACTIVE: readonly string[] = ['waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending', 'running'];

const isAmong = (statuses: readonly string[]) => (status: string) => statuses.includes(status);

/** Something may still happen to it. */
export const isAlive = isAmong(ALIVE_STATUSES);
/** An executor is working on it, or soon will be. */
export const isActive = isAmong(ACTIVE);
/** Nothing more happens to it by itself. */
export const isComplete = (status: string): boolean => !isAlive(status);
/** A cancel changes it: of a pipeline, or of a reported job. */
export const isCancelable = (status: string): boolean => isAlive(status) && status !== 'canceling';
/** A cancel changes it: of a job of a configuration. */
export const isCancelableJob = isAmong(CANCELABLE_STATUSES);
/** A user may start it now. */
export const isPlayable = isAmong(PLAYABLE_STATUSES);
/** A user may have it done again. */
export const isRetryable = isAmong(RETRYABLE_STATUSES);
/** A retry of its pipeline does it again; without jobs, the pipeline's own state decides that. */
export const isUnsuccessful = isAmong(UNSUCCESSFUL_STATUSES);

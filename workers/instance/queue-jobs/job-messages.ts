import type { JobContext } from '../../../shared/core/values/job-context.js';
import { JobCancelled, JobLost, JobTimedOut, WorkerStopping } from '../../core/job-ends.js';

/** A job for a process: what its handler needs to know of it. */
export interface SentJob {
  readonly kind: string;
  readonly id: string;
  readonly context: JobContext | null;
  readonly payload: object;
}

/** An error, as it goes from one process to another. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
}

/** To the process: a job, or why the job in hand is to end early. One at a time. */
export type ToJobProcess = { readonly job: SentJob } | { readonly end: SentError };

/** From the process: it is ready for a job, or how the job ended. */
export type FromJobProcess = { readonly ready: true } | { readonly done: true } | { readonly error: SentError };

const ENDS = { JobCancelled, JobLost, JobTimedOut, WorkerStopping };

/** What of an error others may need. */
export function sentError(error: unknown): SentError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack };
}

/** The error again: ends of jobs are of their own class, by which handlers know them. */
export function receivedError({ name, message, stack }: SentError): Error {
  const End = ENDS[name as keyof typeof ENDS];
  const error = End === undefined ? new Error(message) : new End(message);
  if (End === undefined) Object.defineProperty(error, 'name', { value: name });
  if (stack !== undefined) error.stack = stack;
  return error;
}

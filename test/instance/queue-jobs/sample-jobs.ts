import { queueJob } from '../../../shared/core/context/jobs.js';

export interface SampleJob {
  what: 'write' | 'throw' | 'fill' | 'exit' | 'wait' | 'spin';
  /** A file that it writes to once it has begun. */
  file: string;
}

/** Isolated kinds of tests. */
export const longSample = queueJob<SampleJob>('samples.long', { isolated: 'long' });
export const shortSample = queueJob<SampleJob>('samples.short', { isolated: 'short' });

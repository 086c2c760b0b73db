import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';

/** How a job ends. */
export interface JobEnd {
  job_id: number;
  pipeline_id: number;
  status: 'success' | 'failed' | 'canceled';
  failure_reason?: string | null;
  exit_code?: number | null;
}

/**
 * Ends jobs that have not ended: resources are free again, and what is to be tried again is.
 * @returns the ids of those that this call ended
 */
export function endJobs(_ctx: Context<Caller>, _ends: readonly JobEnd[]): Promise<number[]> {
  throw new Error('not written yet');
}

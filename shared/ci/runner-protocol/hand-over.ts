import type { Context } from '../../core/context/context.js';
import { CapstanError } from '../../core/values/errors.js';
import { translateOutage } from '../../core/values/database-errors.js';
import type { JobClaim } from '../job-handouts/claim-job.js';
import { putBack } from '../job-handouts/put-back-jobs.js';
import { endJobs } from '../processing/end-jobs.js';
import { buildJobPayload } from './job-payload.js';
import type { RunnerPayload } from './job-payload.types.js';

/** A job with what its runner is sent. */
export interface HandedOver {
  readonly claim: JobClaim;
  readonly payload: RunnerPayload;
}

/** Ends a job that can be given to no runner, whoever asks. */
async function failJob(ctx: Context, { job_id, pipeline_id }: JobClaim, error: unknown): Promise<void> {
  ctx.log.error({ err: error, job_id }, 'a job could not be described to its runner');
  await ctx.transaction(() =>
    endJobs(ctx, [{ job_id, pipeline_id, status: 'failed', failure_reason: 'data_integrity_failure' }]),
  );
}

/**
 * Describes a job to the runner that has claimed it.
 * @returns null if that is not possible, so that the job has failed
 * @throws what a request ends with whose job is queued again: the database is out of reach, or the client has gone
 */
export async function handOver(ctx: Context, claim: JobClaim): Promise<HandedOver | null> {
  try {
    return { claim, payload: await buildJobPayload(ctx, claim) };
  } catch (error) {
    if (translateOutage(error) instanceof CapstanError) {
      await putBack(ctx, claim);
      throw error;
    }
    await failJob(ctx, claim, error);
    return null;
  }
}

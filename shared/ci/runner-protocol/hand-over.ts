import { answerInHand } from '../../core/bytes/answer-bytes.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { AnswerTooLarge, CapstanError, Conflict, TooLarge } from '../../core/values/errors.js';
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
async function failJob(ctx: Context<Caller>, { job_id, pipeline_id }: JobClaim, error: unknown): Promise<void> {
  ctx.log.error({ err: error, job_id }, 'a job could not be described to its runner');
  await ctx.transaction(() =>
    endJobs(ctx, [{ job_id, pipeline_id, status: 'failed', failure_reason: 'data_integrity_failure' }]),
  );
}

/** Whether a job cannot be given to any runner: the database is there, but the next try would end like this one. */
function isFaultOfJob(error: unknown): boolean {
  const cause = translateOutage(error);
  return !(cause instanceof CapstanError) || cause instanceof AnswerTooLarge || cause instanceof TooLarge;
}

/**
 * Takes a job back of which its runner gets nothing. It fails if that is its own fault: queued again, it would come
 * first again, and no runner would get past it.
 * @throws the error if the job is queued again; Conflict, on which the runner asks again, if it is too large to be sent
 */
export async function retractJob(ctx: Context<Caller>, claim: JobClaim, error: unknown): Promise<void> {
  const fails = isFaultOfJob(error);
  // An answer that has no room left must not stop this.
  await answerInHand.exit(() => (fails ? failJob(ctx, claim, error) : putBack(ctx, claim)));
  if (!fails) throw error;
  // Whatever else were read for this answer would be too much as well.
  if (error instanceof AnswerTooLarge) throw new Conflict('409 Conflict');
}

/**
 * Describes a job to the runner that has claimed it.
 * @returns null if that is not possible, so that the job has failed
 * @throws what a request ends with whose job is queued again: the database is out of reach, or the client has gone;
 *   Conflict if the job has failed and nothing more can be read
 */
export async function handOver(ctx: Context, claim: JobClaim): Promise<HandedOver | null> {
  try {
    return { claim, payload: await buildJobPayload(ctx, claim) };
  } catch (error) {
    await retractJob(ctx, claim, error);
    return null;
  }
}

import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden } from '../../core/values/errors.js';
import { countRunnerRequest } from '../runner-protocol/count-request.js';
import { findRunByToken, isRunAlive, rejectEndedJob } from '../runner-protocol/find-run.js';
import type { FoundRun } from '../runner-protocol/find-run.js';
import { noteJobContact } from '../runner-protocol/note-contact.js';
import { appendLog } from './append-log.js';
import type { AppendedLog, LogPatch } from './append-log.js';
import { getPatchInterval } from './patch-interval.js';

/** The answer to a patch. */
export interface PatchedLog extends AppendedLog {
  /** State of the job, from which its runner learns of a cancel. */
  status: string;
  /** Seconds after which the runner is to send more. */
  interval: number;
}

/**
 * The job whose log a runner writes, before any of the patch is read. One that waits for its runner to confirm it has a
 * log already.
 * @throws Forbidden for a token that is unknown, another job's, or over: with the job's state where it is its own
 */
export async function findLoggingRun(ctx: Context<Caller>, jobId: number, token: string): Promise<FoundRun> {
  await countRunnerRequest(ctx, 'runner_jobs_patch_trace', token);
  const run = await findRunByToken(ctx, jobId, token);
  if (!run) throw new Forbidden();
  if (!isRunAlive(run) && run.job.status !== 'pending') throw rejectEndedJob(run.job);
  return run;
}

/** Writes a patch into the log of a job in the hands of a runner. @throws TooLarge */
export async function patchLog(ctx: Context<Caller>, run: FoundRun, patch: LogPatch): Promise<PatchedLog> {
  const { job } = run;
  const appended = await ctx.transaction(async () => {
    const written = await appendLog(ctx, job, patch);
    // Last, since it waits for no row: nobody who has locked the pipeline or the job waits for this one.
    await noteJobContact(ctx, ctx.services, run);
    return written;
  });
  const status = appended.problem === 'too_large' ? 'failed' : job.status;
  return { ...appended, status, interval: getPatchInterval(ctx, run, appended.watched) };
}

import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { firstLogSeconds } from '../../core/metrics/instruments.js';
import { TooLarge } from '../../core/values/errors.js';
import type { CiDatabase } from '../ci.entities.js';
import type { Job } from '../pipelines/job.entity.js';
import { endJobs } from '../processing/end-jobs.js';
import { cutChunks, insertChunks } from './log-chunks.js';
import { notifyLogReaders } from './log-channel.js';
import { findLog, lockOrCreateLog } from './job-log.finder.js';
import { isWatched } from './patch-interval.js';

/** Bytes of a patch at most (ci-execution.md 22). */
export const PATCH_BYTES = 1024 * 1024;
const MIB = 1024 * 1024;

/** A job whose log grows. */
export type LoggingJob = Pick<Job, 'id' | 'project_id' | 'pipeline_id' | 'first_log_at'>;

/** Bytes for a log from a position on. */
export interface LogPatch {
  start: number;
  body: Uint8Array;
  /** The runner says that the log shows values of variables. */
  debug_trace?: boolean;
}

/** What became of a patch. */
export interface AppendedLog {
  accepted: boolean;
  /** Bytes of the log now. */
  size: number;
  /** Why it was not accepted: it starts beyond the end, nothing is added any more, or the log would be too large. */
  problem: 'gap' | 'sealed' | 'too_large' | null;
  /** Somebody follows the log. */
  watched: boolean;
}

/** Notes when the first bytes came. Before the log is locked: whoever locks both locks the job first. */
async function noteFirstLog(ctx: Context<Caller>, job: LoggingJob): Promise<void> {
  const now = ctx.clock.now();
  const [noted] = await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('jobs')
    .set({ first_log_at: now })
    .where('id', '=', job.id)
    .where('first_log_at', 'is', null)
    .returning('queued_at')
    .execute();
  const queuedAt = noted?.queued_at;
  if (queuedAt) ctx.afterCommit(() => firstLogSeconds.observe((now.getTime() - queuedAt.getTime()) / 1000));
}

/** Ends a job whose log would exceed the limit of a log; an end needs the pipeline, so the log is not locked. */
async function dropJob(ctx: Context<Caller>, job: LoggingJob): Promise<void> {
  await endJobs(ctx, [
    { job_id: job.id, pipeline_id: job.pipeline_id, status: 'failed', failure_reason: 'trace_size_exceeded' },
  ]);
}

/** The limit of a log in bytes. */
function limitOf(ctx: Context<Caller>): number {
  const { ci_jobs_trace_size_limit: mebibytes } = ctx.settings;
  return mebibytes === 0 ? Infinity : mebibytes * MIB;
}

/**
 * Writes bytes into the log of a running job. What the log has from their start on is replaced, so that a patch may be
 * sent twice. The job fails when the log would exceed `ci_jobs_trace_size_limit`.
 * Call it in a transaction, and answer a patch that was not accepted without rolling back.
 * @throws TooLarge for a body of more than 1 MiB
 */
export async function appendLog(ctx: Context<Caller>, job: LoggingJob, patch: LogPatch): Promise<AppendedLog> {
  const { start, body } = patch;
  if (body.length > PATCH_BYTES) throw new TooLarge();
  if (start + body.length > limitOf(ctx)) {
    const size = (await findLog(ctx, job))?.bytes ?? 0;
    if (start > size) return { accepted: false, size, problem: 'gap', watched: false };
    await dropJob(ctx, job);
    return { accepted: false, size, problem: 'too_large', watched: false };
  }
  if (job.first_log_at === null && body.length > 0 && start === 0) await noteFirstLog(ctx, job);
  const log = await lockOrCreateLog(ctx, job);
  const watched = isWatched(ctx, log);
  if (log.sealed_at !== null) return { accepted: false, size: log.bytes, problem: 'sealed', watched };
  if (start > log.bytes) return { accepted: false, size: log.bytes, problem: 'gap', watched };
  const before = start === log.bytes ? log.crc32 : await cutChunks(ctx, job, start);
  const checksum = await insertChunks(ctx, job, start, before, body);
  const size = start + body.length;
  await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('job_logs')
    .set({
      bytes: size,
      crc32: checksum,
      debug_trace: log.debug_trace || patch.debug_trace === true,
      updated_at: ctx.clock.now(),
    })
    .where('id', '=', log.id)
    .execute();
  if (watched) await notifyLogReaders(ctx, job.id);
  return { accepted: true, size, problem: null, watched };
}

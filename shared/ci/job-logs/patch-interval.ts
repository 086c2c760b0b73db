import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { FoundRun } from '../runner-protocol/find-run.js';
import type { JobLog } from './job-log.entity.js';
import { findLog } from './job-log.finder.js';

/** Seconds between two patches of a log that somebody follows or whose job has just begun, and of any other. */
const INTERVAL = { often: 3, seldom: 60 };
/** A job has just begun for so long. */
const FIRST_MS = 60_000;

/** Whether somebody follows a log. */
export const isWatched = (ctx: Context<Caller>, log: Pick<JobLog, 'watched_until'> | null): boolean =>
  log?.watched_until instanceof Date && log.watched_until > ctx.clock.now();

function hasJustBegun(ctx: Context<Caller>, { job, handed_out_at: handedOut }: FoundRun): boolean {
  return ctx.clock.now().getTime() - (job.started_at ?? handedOut).getTime() < FIRST_MS;
}

/** Seconds after which the runner of a job is to send more of its log. */
export const getPatchInterval = (ctx: Context<Caller>, run: FoundRun, watched: boolean): number =>
  watched || hasJustBegun(ctx, run) ? INTERVAL.often : INTERVAL.seldom;

/** The same for one whose log is not at hand. */
export async function findPatchInterval(ctx: Context<Caller>, run: FoundRun): Promise<number> {
  const watched = !hasJustBegun(ctx, run) && isWatched(ctx, await findLog(ctx, run.job));
  return getPatchInterval(ctx, run, watched);
}

import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { CiDatabase } from '../ci.entities.js';
import { lockOrCreateLog } from './job-log.finder.js';
import type { LogKey } from './job-log.finder.js';

/** How long the end of a job waits for bytes of its log that its runner speaks of. */
const COMPLETION_MS = 300_000;
/** How often a runner is told to send a log again, which it would do without end. */
const MAX_REJECTIONS = 2;

/** What a runner says that the whole log is like. */
interface ReportedLog {
  /** `crc32:` and eight hexadecimal digits. */
  checksum?: string | null | undefined;
  bytesize?: number | null | undefined;
}

/** `crc32:0000002a`, as runners write it; null for anything else. */
function readChecksum(text: string | null | undefined): number | null {
  const [, digits] = /^crc32:([\da-f]{1,8})$/i.exec(text?.trim() ?? '') ?? [];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

const update = async (
  ctx: Context<Caller>,
  id: number,
  values: { rejections?: number; awaited_since?: Date },
): Promise<void> => {
  await ctx.em.getKysely<CiDatabase>().updateTable('job_logs').set(values).where('id', '=', id).execute();
};

async function markIncomplete(ctx: Context<Caller>, job: LogKey): Promise<void> {
  await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('jobs')
    .set({ log_incomplete: true })
    .where('id', '=', job.id)
    .execute();
}

/**
 * Compares a log with what the runner reports of it together with the end of the job (ci-execution.md 10 and 22).
 * `incomplete`: bytes are missing, so the runner is to ask again; after five minutes the log counts as complete.
 * `mismatch`: the bytes are others, so the runner is to send all of them again; at most twice, then the log counts as
 * complete. A log that is accepted although it differs marks its job with `log_incomplete`. Call it in a transaction
 * that commits whatever it returns, and that has locked the job: whoever locks both locks the job before its log.
 */
export async function checkLog(
  ctx: Context<Caller>,
  job: LogKey,
  reported: ReportedLog,
): Promise<'complete' | 'incomplete' | 'mismatch'> {
  const checksum = readChecksum(reported.checksum);
  const bytes = reported.bytesize ?? null;
  if (checksum === null && bytes === null) return 'complete';
  const log = await lockOrCreateLog(ctx, job);
  if (log.sealed_at !== null) return 'complete';
  const isRight = (checksum === null || checksum === log.crc32) && (bytes === null || bytes === log.bytes);
  if (isRight) return 'complete';
  const now = ctx.clock.now();
  if (bytes !== null && log.bytes < bytes) {
    const since = log.awaited_since ?? now;
    if (since === now) await update(ctx, log.id, { awaited_since: now });
    if (now.getTime() - since.getTime() < COMPLETION_MS) return 'incomplete';
    await markIncomplete(ctx, job);
    return 'complete';
  }
  if (log.rejections < MAX_REJECTIONS) {
    await update(ctx, log.id, { rejections: log.rejections + 1 });
    return 'mismatch';
  }
  await markIncomplete(ctx, job);
  return 'complete';
}

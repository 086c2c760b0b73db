import { sql } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { claimDue, DUE_COLUMNS } from './claim-due.js';
import { notifyAlarms } from './notify-alarms.js';

/** Schedules claimed by one transaction at most: small enough to be quick, large enough for a full minute. */
const BATCH = 1000;

/**
 * Claims every schedule that is due, a batch a transaction, until nothing is due. The clock moves before the work,
 * so a crash loses nothing that was enqueued and starts nothing twice. Answers how many were claimed.
 */
export async function tickSchedules(ctx: Context): Promise<number> {
  let claimed = 0;
  let batch: number;
  do {
    batch = await ctx.transaction(() => claimBatch(ctx));
    claimed += batch;
  } while (batch > 0);
  // Alarms in every process now look for the due time after this one.
  await notifyAlarms(ctx, null);
  return claimed;
}

/** Active schedules whose next run is due. */
const dueSchedules = (ctx: Context, now: Date) =>
  ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipeline_schedules as s')
    .select(DUE_COLUMNS)
    .where('s.active', '=', constant(true))
    .where('s.next_run_at', '<=', now)
    .$narrowType<{ next_run_at: Date }>();

/**
 * Skips schedules locked by another transaction: another tick claims them, or an edit, which claims due runs itself
 * (`claimBeforeEdit`). Projects are locked before schedules, in the same order as project deletion.
 */
async function claimBatch(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  const due = await dueSchedules(ctx, now)
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .orderBy('s.next_run_at')
    .limit(constant(BATCH))
    // Kysely writes "skip locked" once, after all locks.
    .modifyEnd(sql`for key share of ${sql.ref('p')} skip locked for update of ${sql.ref('s')} skip locked`)
    .execute();
  return claimDue(ctx, due, now);
}

/**
 * Claims a run that is due at the time of an edit before the edit changes the schedule's next run, so that no edit
 * makes a due run vanish. The row must be locked. Does nothing if no run is due.
 */
export async function claimBeforeEdit(ctx: Context, scheduleId: number): Promise<void> {
  const now = ctx.clock.now();
  const due = dueSchedules(ctx, now).where('s.id', '=', scheduleId);
  // More than once only for `all` after a long outage.
  while ((await claimDue(ctx, await due.execute(), now)) > 0);
}

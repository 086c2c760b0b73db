import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { claimDue, dueColumns } from './claim-due.js';
import type { DueSchedule } from './claim-due.js';
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
  // Alarms in every process now look for the moment after this one.
  await notifyAlarms(ctx, null);
  return claimed;
}

/**
 * A schedule that somebody else holds is passed over: another tick claims it, or an edit, which claims what is due
 * itself (`claimBeforeEdit`). Projects are locked before schedules, as their deletion does it.
 */
async function claimBatch(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  const due = await ctx.query<DueSchedule>(sql`
    select ${dueColumns} from pipeline_schedules s join projects p on p.id = s.project_id
     where s.active and s.next_run_at <= ${now}
     order by s.next_run_at limit ${BATCH} for key share of p skip locked for update of s skip locked`);
  return claimDue(ctx, due, now);
}

/**
 * A run that is due at the very moment of an edit is claimed before the edit moves the schedule's time: no edit
 * makes a due run vanish. Expects the row locked. Does nothing when nothing is due.
 */
export async function claimBeforeEdit(ctx: Context, scheduleId: number): Promise<void> {
  const now = ctx.clock.now();
  const due = sql`select ${dueColumns} from pipeline_schedules s
    where s.id = ${scheduleId} and s.active and s.next_run_at <= ${now}`;
  // More than once only for `all` after a long outage.
  while ((await claimDue(ctx, await ctx.query<DueSchedule>(due), now)) > 0);
}

import type { Context } from '../core/context.js';
import { sql } from '../core/sql.js';
import { notifyAlarms } from './notify-alarms.js';

/**
 * Deactivates every active schedule of a user who was blocked or deactivated. Nobody edited them, so their
 * `updated_at` stays (pipeline-schedules.md section 7).
 */
export async function deactivateSchedulesOf(ctx: Context, userId: number): Promise<void> {
  const stopped = await ctx.query(sql`
    update pipeline_schedules set active = false where owner_id = ${userId} and active returning id`);
  if (stopped.length > 0) await notifyAlarms(ctx, null);
}

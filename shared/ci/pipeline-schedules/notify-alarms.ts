import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** The channel on which workers hear that the earliest due time may have changed. */
export const SCHEDULES_CHANNEL = 'capstan_pipeline_schedules';

/** Tells every worker to set its alarm again, once the transaction is committed. */
export async function notifyAlarms(ctx: Context<Caller>, nextRun: Date | null): Promise<void> {
  await ctx.query(sql`select pg_notify(${SCHEDULES_CHANNEL}, ${String(nextRun?.getTime() ?? '')})`);
}

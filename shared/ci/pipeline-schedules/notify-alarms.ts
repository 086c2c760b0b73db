import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { CiDatabase } from '../ci.entities.js';

/** The channel on which workers hear that the earliest due time may have changed. */
export const SCHEDULES_CHANNEL = 'capstan_pipeline_schedules';

/** Notifies every worker to reset its alarm once the transaction is committed. */
export async function notifyAlarms(ctx: Context<Caller>, nextRun: Date | null): Promise<void> {
  const payload = String(nextRun?.getTime() ?? '');
  await ctx.em
    .getKysely<CiDatabase>()
    .selectNoFrom((eb) => eb.fn('pg_notify', [eb.val(SCHEDULES_CHANNEL), eb.val(payload)]).as('notified'))
    .execute();
}

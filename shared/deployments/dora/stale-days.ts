import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { unnestedRows } from '../../core/database/expressions.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { refreshDoraDay } from '../deployments.jobs.js';

/** A day, `YYYY-MM-DD` UTC, of an environment. */
export interface EnvironmentDay {
  readonly environment_id: number;
  readonly date: string;
}

/** The UTC day of an instant. */
export const formatDay = (instant: Date): string => instant.toISOString().slice(0, 10);

/**
 * Schedules recomputation of days of environments after a delay in seconds, once per day, in the open transaction
 * (dora.md section 5). A day that is already waiting gets another job only if it is now due earlier. Deleted
 * environments are skipped.
 */
export async function markStale(
  ctx: Context<Caller>,
  days: readonly EnvironmentDay[],
  delaySeconds: number,
): Promise<void> {
  if (days.length === 0) return;
  const dueAt = new Date(ctx.clock.now().getTime() + delaySeconds * 1000);
  // In one order, as everybody locks several of them.
  const refreshes = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .insertInto('dora_refreshes')
    .columns(['environment_id', 'date', 'project_id', 'due_at'])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(days, { environment_id: 'bigint', date: 'date' }).as('d'))
        .innerJoin('environments as e', 'e.id', 'd.environment_id')
        .select(['e.id', 'd.date', 'e.project_id', eb.cast<Date>(eb.val(dueAt), 'timestamptz').as('due_at')])
        .distinct()
        .orderBy('e.id')
        .orderBy('d.date'),
    )
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'date']).doUpdateSet((eb) => ({
        version: eb('dora_refreshes.version', '+', 1),
        unannounced: eb('excluded.due_at', '<', eb.ref('dora_refreshes.due_at')).$castTo<boolean>(),
        due_at: eb.fn<Date>('least', ['dora_refreshes.due_at', 'excluded.due_at']),
      })),
    )
    .returning(['environment_id', 'date', 'unannounced'])
    .execute();
  const payloads = refreshes
    .filter(({ unannounced }) => unannounced)
    .map(({ environment_id, date }) => ({ environment_id, date }));
  await ctx.jobs.sendAll(refreshDoraDay, payloads, delaySeconds > 0 ? { startAfter: dueAt } : {});
}

import type { Context } from '../../core/context/context.js';
import { constant, unnestedRows } from '../../core/database/expressions.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { refreshDoraDay } from '../deployments.jobs.js';
import { rollUpDays } from './roll-up.js';
import type { EnvironmentDay } from './stale-days.js';

type Waiting = EnvironmentDay & { version: number };

const PAIR = { environment_id: 'bigint', date: 'date' } as const;

/** Those of the given days that are waiting, as `r`. */
const selectWaitingDays = (ctx: Context, days: readonly EnvironmentDay[]) =>
  ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom('dora_refreshes as r')
    .where((eb) =>
      eb(
        eb.refTuple('r.environment_id', 'r.date'),
        'in',
        eb
          .selectFrom(unnestedRows(days, PAIR).as('d'))
          .select(['d.environment_id', 'd.date'])
          .$asTuple('environment_id', 'date'),
      ),
    );

/**
 * Recomputes the days that are waiting. A concurrent request to recompute one of them is not blocked; it results in
 * another job, because its changes may not have been read. Idempotent.
 */
export function refreshDays(ctx: Context, days: readonly EnvironmentDay[]): Promise<void> {
  return ctx.transaction(async () => {
    const waiting = await selectWaitingDays(ctx, days)
      .select(['r.environment_id', 'r.date', 'r.version'])
      .orderBy('r.environment_id')
      .orderBy('r.date')
      .execute();
    if (waiting.length === 0) return;
    await rollUpDays(ctx, waiting);
    await finish(ctx, waiting);
  });
}

/** Removes the finished entries. Entries requested again since they were read remain and get another job. */
async function finish(ctx: Context, done: readonly Waiting[]): Promise<void> {
  await ctx.em
    .getKysely<DeploymentsDatabase>()
    .deleteFrom('dora_refreshes as r')
    .using(unnestedRows(done, { ...PAIR, version: 'int' }).as('o'))
    .whereRef('r.environment_id', '=', 'o.environment_id')
    .whereRef('r.date', '=', 'o.date')
    .whereRef('r.version', '=', 'o.version')
    .execute();
  const again = await selectWaitingDays(ctx, done).select(['r.environment_id', 'r.date']).execute();
  await ctx.jobs.sendAll(refreshDoraDay, again);
}

/** Sends jobs for days that have waited for so long that theirs must be lost. */
export function resendLost(ctx: Context): Promise<void> {
  return ctx.transaction(async () => {
    const hourAgo = new Date(ctx.clock.now().getTime() - 3_600_000);
    const lost = await ctx.em
      .getKysely<DeploymentsDatabase>()
      .selectFrom('dora_refreshes as r')
      .select(['r.environment_id', 'r.date'])
      .where('r.due_at', '<', hourAgo)
      .orderBy('r.due_at')
      .limit(constant(100_000))
      .execute();
    await ctx.jobs.sendAll(refreshDoraDay, lost);
  });
}

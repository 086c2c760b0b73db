import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { refreshDoraDay } from './dora.jobs.js';
import { rollUpDays } from './roll-up.js';
import type { EnvironmentDay } from './stale-days.js';

type Waiting = EnvironmentDay & { version: number };

const pairs = (days: readonly EnvironmentDay[]): Fragment =>
  sql`unnest(${days.map((day) => day.environment_id)}::bigint[], ${days.map((day) => day.date)}::date[])`;

/**
 * Computes the days anew that wait for it. A request that asks for one meanwhile does not wait; it has another job
 * sent, since what it changed may not have been read. Done twice, nothing more happens.
 */
export function refreshDays(ctx: Context, days: readonly EnvironmentDay[]): Promise<void> {
  return ctx.transaction(async () => {
    const waiting = await ctx.query<Waiting>(sql`
      select r.environment_id as "environment_id", r.date::text as "date", r.version as "version"
        from dora_refreshes r
       where (r.environment_id, r.date) in (select * from ${pairs(days)})
       order by r.environment_id, r.date`);
    if (waiting.length === 0) return;
    await rollUpDays(
      ctx,
      waiting.map((day) => day.environment_id),
      waiting.map((day) => day.date),
    );
    await finish(ctx, waiting);
  });
}

/** Takes off what is done. What was asked for again since it was read stays, and gets another job. */
async function finish(ctx: Context, done: readonly Waiting[]): Promise<void> {
  await ctx.query(sql`
    delete from dora_refreshes r
     using unnest(${done.map((day) => day.environment_id)}::bigint[], ${done.map((day) => day.date)}::date[],
                  ${done.map((day) => day.version)}::int[]) as o (environment_id, date, version)
     where r.environment_id = o.environment_id and r.date = o.date and r.version = o.version`);
  const again = await ctx.query<EnvironmentDay>(sql`
    select r.environment_id as "environment_id", r.date::text as "date" from dora_refreshes r
     where (r.environment_id, r.date) in (select * from ${pairs(done)})`);
  await ctx.jobs.sendAll(refreshDoraDay, again);
}

/** Sends jobs for days that have waited for so long that theirs must be lost. */
export function resendLost(ctx: Context): Promise<void> {
  return ctx.transaction(async () => {
    const hourAgo = new Date(ctx.clock.now().getTime() - 3_600_000);
    const lost = await ctx.query<EnvironmentDay>(sql`
      select r.environment_id as "environment_id", r.date::text as "date" from dora_refreshes r
       where r.due_at < ${hourAgo} order by r.due_at limit 100000`);
    await ctx.jobs.sendAll(refreshDoraDay, lost);
  });
}

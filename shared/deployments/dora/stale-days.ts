import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { refreshDoraDay } from './dora.jobs.js';

/** A day, `YYYY-MM-DD` UTC, of an environment. */
export interface EnvironmentDay {
  readonly environment_id: number;
  readonly date: string;
}

/** The UTC day of an instant. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/**
 * Has days of environments computed anew after a delay in seconds, each once, in the open transaction (dora.md section
 * 5). What waits already gets another job only where it is due sooner now. Environments that are gone are passed over.
 */
export async function markStale(
  ctx: Context<Caller>,
  days: readonly EnvironmentDay[],
  delaySeconds: number,
): Promise<void> {
  if (days.length === 0) return;
  const dueAt = new Date(ctx.clock.now().getTime() + delaySeconds * 1000);
  // In one order, as everybody locks several of them.
  const asked = await ctx.query<EnvironmentDay & { unannounced: boolean }>(sql`
    insert into dora_refreshes as r (environment_id, date, project_id, due_at)
    select distinct e.id, d.date, e.project_id, ${dueAt}::timestamptz
      from unnest(${days.map((day) => day.environment_id)}::bigint[], ${days.map((day) => day.date)}::date[])
             as d (environment_id, date)
      join environments e on e.id = d.environment_id
     order by e.id, d.date
        on conflict (environment_id, date) do update
       set version = r.version + 1, unannounced = excluded.due_at < r.due_at, due_at = least(r.due_at, excluded.due_at)
    returning r.environment_id as "environment_id", r.date::text as "date", r.unannounced as "unannounced"`);
  const payloads = asked
    .filter(({ unannounced }) => unannounced)
    .map(({ environment_id, date }) => ({ environment_id, date }));
  await ctx.jobs.sendAll(refreshDoraDay, payloads, delaySeconds > 0 ? { startAfter: dueAt } : {});
}

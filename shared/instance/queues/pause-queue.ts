import type { Context, SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { tellWorkers } from '../pg-boss/queue-channel.js';

/**
 * Pauses a queue: within 2 s no process fetches from it any more, also after a restart (README decision 26). What runs
 * goes on, and jobs are still taken. In the caller's transaction; safe to repeat.
 * @param queue a known one: nothing is checked here
 * @returns whether it was not paused before
 */
export const storePause = (ctx: SignedInContext, queue: string, reason: string | null = null): Promise<boolean> =>
  control(ctx, queue, true, reason);

/** Has a paused queue fetched from again. Safe to repeat. @returns whether it was paused before */
export const storeResume = (ctx: SignedInContext, queue: string, reason: string | null = null): Promise<boolean> =>
  control(ctx, queue, false, reason);

async function control(ctx: SignedInContext, queue: string, paused: boolean, reason: string | null): Promise<boolean> {
  const { id, username } = ctx.caller.user;
  const changed = await ctx.query(sql`
    insert into queue_controls as c (queue, paused, changed_by_id, changed_by, changed_at, reason)
    select ${queue}, ${paused}::boolean, ${id}::bigint, ${username}, ${ctx.clock.now()}::timestamptz, ${reason}::text
     where ${paused}::boolean or exists (select 1 from queue_controls known where known.queue = ${queue})
    on conflict (queue) do update
      set paused = excluded.paused, changed_by_id = excluded.changed_by_id, changed_by = excluded.changed_by,
          changed_at = excluded.changed_at, reason = excluded.reason
      where c.paused <> excluded.paused
    returning c.paused`);
  await tellWorkers(ctx);
  return changed.length > 0;
}

/** What was said last of each queue that was ever paused, by its name. */
export async function queueControls(ctx: Context): Promise<Map<string, QueueControlRecord>> {
  const rows = await ctx.query<QueueControlRecord>(sql`
    select c.queue as "queue", c.paused as "paused", c.changed_by_id as "changed_by_id", c.changed_by as "changed_by",
           c.changed_at as "changed_at", c.reason as "reason"
      from queue_controls c`);
  return new Map(rows.map((row) => [row.queue, row]));
}

export interface QueueControlRecord {
  queue: string;
  paused: boolean;
  changed_by_id: number | null;
  changed_by: string | null;
  changed_at: Date;
  reason: string | null;
}

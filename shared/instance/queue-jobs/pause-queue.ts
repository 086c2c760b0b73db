import type { Context, SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { tellWorkers } from './queue-channel.js';

/**
 * Pauses a queue: within 2 s no process fetches from it any more, also after a restart (README decision 26). What runs
 * goes on, and jobs are still taken. In the caller's transaction; safe to repeat.
 * @param queue a known one: nothing is checked here
 */
export const pauseQueue = (ctx: SignedInContext, queue: string, reason: string | null = null): Promise<void> =>
  control(ctx, queue, true, reason);

/** Has a paused queue fetched from again. Safe to repeat. */
export const resumeQueue = (ctx: SignedInContext, queue: string, reason: string | null = null): Promise<void> =>
  control(ctx, queue, false, reason);

async function control(ctx: SignedInContext, queue: string, paused: boolean, reason: string | null): Promise<void> {
  const { id, username } = ctx.caller.user;
  await ctx.query(sql`
    insert into queue_controls as c (queue, paused, changed_by_id, changed_by, changed_at, reason)
    values (${queue}, ${paused}, ${id}, ${username}, ${ctx.clock.now()}, ${reason})
    on conflict (queue) do update
      set paused = excluded.paused, changed_by_id = excluded.changed_by_id, changed_by = excluded.changed_by,
          changed_at = excluded.changed_at, reason = excluded.reason
      where c.paused <> excluded.paused`);
  await tellWorkers(ctx);
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

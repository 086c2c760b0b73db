import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

export interface QueueCount {
  queue: string;
  /** Attempts that ended since the instance was set up. */
  processed: number;
  /** Those of them that failed or were lost. */
  failed: number;
}

/** What was ever done, by queue: counts never go down, whatever is removed. */
export const queueCounts = (ctx: Context): Promise<QueueCount[]> =>
  ctx.query<QueueCount>(sql`
    select c.queue as "queue", sum(c.processed)::bigint as "processed", sum(c.failed)::bigint as "failed"
      from queue_counters c group by c.queue order by c.queue`);

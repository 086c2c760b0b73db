import type { Context } from '../../core/context/context.js';
import { runQuery } from '../../core/database/prepared.js';
import { countsByQueue } from './list-queues.js';

export interface QueueCount {
  queue: string;
  /** Attempts that ended since the instance was set up. */
  processed: number;
  /** The failed or lost ones among them. */
  failed: number;
}

/** What was ever done, by queue: counts never go down, whatever is removed. */
export const queueCounts = (ctx: Context): Promise<QueueCount[]> => runQuery(ctx, countsByQueue().orderBy('c.queue'));

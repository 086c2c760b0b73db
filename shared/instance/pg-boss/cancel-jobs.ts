import type { Context } from '../../core/context/context.js';
import { notifyWorkers } from './queue-channel.js';

/**
 * Cancels jobs of a queue, waiting or running: none of them is completed or tried again. The handler of one that runs
 * sees its signal at once, and is not waited for for long. In the caller's transaction.
 * @returns the ids of those that were cancelled; any other is over, or not in this queue
 */
export async function cancelJobs(ctx: Context, queue: string, ids: readonly string[]): Promise<readonly string[]> {
  const cancelled = await ctx.jobs.cancel(queue, ids);
  await notifyWorkers(ctx);
  return cancelled;
}

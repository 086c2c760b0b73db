import type { Context } from '../../core/context/context.js';
import { findNextJobs } from './resource-groups.js';
import { processPipeline } from './process-pipeline.js';

/** Lets the job whose turn it is have a resource that is free, by processing its pipeline. */
export async function assignResource(ctx: Context, groupId: number): Promise<void> {
  const [next] = await ctx.transaction(() => findNextJobs(ctx, [groupId]));
  if (next?.status === 'waiting_for_resource') await ctx.transaction(() => processPipeline(ctx, next.pipeline_id));
}

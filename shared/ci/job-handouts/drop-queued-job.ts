import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { endJobs } from '../processing/end-jobs.js';
import { lockPipelines } from '../processing/request-processing.js';
import { dequeueJobs } from '../job-queue/enqueue-jobs.js';

/** Fails a queued job that may not be handed out, in a transaction of its own, unless another runner has it by now. */
export async function dropQueuedJob(
  ctx: Context<Caller>,
  { job_id, pipeline_id }: { job_id: number; pipeline_id: number },
  reason: string,
): Promise<void> {
  await ctx.transaction(async () => {
    await lockPipelines(ctx, [pipeline_id]);
    const [dequeued] = await dequeueJobs(ctx, [job_id]);
    if (dequeued === undefined) return;
    await endJobs(ctx, [{ job_id, pipeline_id, status: 'failed', failure_reason: reason }]);
  });
}

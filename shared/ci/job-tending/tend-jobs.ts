import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { requeueUnacknowledged } from '../job-handouts/put-back-jobs.js';
import { dequeueJobs } from '../job-queue/enqueue-jobs.js';
import { endJobs } from '../processing/end-jobs.js';
import type { JobEnd } from '../processing/end-jobs.js';
import { lockPipelines } from '../processing/request-processing.js';
import { listSilentJobs, listSilentJobsWithoutRunner, listStuckJobs, OVERDUE_BATCH } from './overdue-jobs.js';
import { loadUptimes } from '../uptimes/uptimes.js';
import { removeStaleManagers } from '../runners/remove-stale-managers.js';
import { repairQueue } from './repair-queue.js';

/** Overdue jobs of one kind. */
interface OverdueJobs {
  readonly list: typeof listStuckJobs;
  /** Whether they wait in the queue; else a runner has them. */
  readonly queued: boolean;
}

/** Those of some jobs that no runner gets any more. */
async function dequeueOverdue(ctx: Context<Caller>, ends: readonly JobEnd[]): Promise<JobEnd[]> {
  const dequeued = new Set(
    await dequeueJobs(
      ctx,
      ends.map(({ job_id }) => job_id),
    ),
  );
  return ends.filter(({ job_id }) => dequeued.has(job_id));
}

/** Ends one batch of overdue jobs: those that are still overdue once their pipelines are locked. */
async function endBatch(
  ctx: Context<Caller>,
  { list, queued }: OverdueJobs,
): Promise<{ found: number; ended: number }> {
  const uptimes = await loadUptimes(ctx);
  const found = await list(ctx, { uptimes, ids: null });
  if (found.length === 0) return { found: 0, ended: 0 };
  const ended = await ctx.transaction(async () => {
    await lockPipelines(
      ctx,
      found.map(({ pipeline_id }) => pipeline_id),
    );
    const overdue = await list(ctx, { uptimes, ids: found.map(({ job_id }) => job_id) });
    return endJobs(ctx, queued ? await dequeueOverdue(ctx, overdue) : overdue);
  });
  return { found: found.length, ended: ended.length };
}

async function endOverdue(ctx: Context, jobs: OverdueJobs): Promise<number> {
  let count = 0;
  await inSteps(ctx, async () => {
    const { found, ended } = await endBatch(ctx, jobs);
    count += ended;
    return found === OVERDUE_BATCH && ended > 0;
  });
  return count;
}

/**
 * Ends jobs that nobody will end: those that no runner takes, and those of runners that are silent or too late. What the
 * queue lacks is queued, and what it has too much of is removed, as are managers of runners that are gone. Repeated it
 * does nothing.
 */
export async function tendRunnerJobs(
  ctx: Context,
): Promise<{ requeued: number; stuck: number; silent: number; repaired: number; managers: number }> {
  return {
    requeued: await requeueUnacknowledged(ctx),
    stuck: await endOverdue(ctx, { list: listStuckJobs, queued: true }),
    silent:
      (await endOverdue(ctx, { list: listSilentJobs, queued: false })) +
      (await endOverdue(ctx, { list: listSilentJobsWithoutRunner, queued: false })),
    repaired: await repairQueue(ctx),
    managers: await removeStaleManagers(ctx),
  };
}

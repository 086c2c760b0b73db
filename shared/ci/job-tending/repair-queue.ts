import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { enqueueJobs } from '../job-queue/enqueue-jobs.js';
import { lockPipelines } from '../processing/request-processing.js';

/** Jobs that one repair queues at most. */
const BATCH = 1_000;

const findUnqueued = (ctx: Context<Caller>) =>
  ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('jobs as j')
    .leftJoin('ci_queue as q', 'q.job_id', 'j.id')
    .select(['j.id', 'j.pipeline_id'])
    .where('j.status', '=', constant('pending'))
    .where('j.kind', '=', constant('build'))
    .where('j.runner_id', 'is', null)
    .where('q.id', 'is', null)
    .orderBy('j.id')
    .limit(constant(BATCH));

/** Takes jobs out of the queue that do not wait for a runner. */
async function removeStale(ctx: Context<Caller>): Promise<number> {
  const removed = await ctx.em
    .getKysely<CiDatabase>()
    .deleteFrom('ci_queue as q')
    .using('jobs as j')
    .whereRef('j.id', '=', 'q.job_id')
    .where((eb) => eb.or([eb('j.status', '<>', constant('pending')), eb('j.runner_id', 'is not', null)]))
    .returning('q.id')
    .execute();
  return removed.length;
}

async function queueMissing(ctx: Context<Caller>): Promise<number> {
  const found = await findUnqueued(ctx).execute();
  if (found.length === 0) return 0;
  return ctx.transaction(async () => {
    await lockPipelines(
      ctx,
      found.map(({ pipeline_id }) => pipeline_id),
    );
    const ids = found.map(({ id }) => id);
    const missing = await findUnqueued(ctx).where('j.id', '=', anyOf(ids, 'bigint')).execute();
    await enqueueJobs(
      ctx,
      missing.map(({ id }) => id),
    );
    return missing.length;
  });
}

/** Makes the queue hold exactly the pending jobs that no runner has. @returns how many rows were wrong */
export const repairQueue = async (ctx: Context<Caller>): Promise<number> =>
  (await removeStale(ctx)) + (await queueMissing(ctx));

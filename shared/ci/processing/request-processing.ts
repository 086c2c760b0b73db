import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { processPipelines } from '../ci.jobs.js';

/**
 * Locks pipelines until the transaction ends, in the order of their ids. Whoever changes jobs of a pipeline with a file
 * locks it first, except for a hand-out; so no change is missed by a job that begins to process it.
 */
export async function lockPipelines(ctx: Context<Caller>, pipelineIds: readonly number[]): Promise<void> {
  if (pipelineIds.length === 0) return;
  await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipelines')
    .select('id')
    .where('id', '=', anyOf(pipelineIds, 'bigint'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/**
 * Has a job work out what follows from changed jobs of pipelines, once the transaction is committed. One job waits for
 * each pipeline; it cannot have begun before, since it needs the lock that this transaction holds.
 */
export async function requestProcessing(ctx: Context<Caller>, pipelineIds: readonly number[]): Promise<void> {
  const ids = [...new Set(pipelineIds)].sort((one, other) => one - other);
  await lockPipelines(ctx, ids);
  for (const id of ids) await ctx.jobs.send(processPipelines, { pipeline_id: id }, { singletonKey: String(id) });
}

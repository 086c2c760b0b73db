import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import type { DeletedPipeline } from '../ci.events.js';

/**
 * Deletes pipelines, whose rows are locked, with all that belongs to them: rows of other tables go with theirs, jobs
 * release the bytes of their logs, and `pipelines.tend` removes their hidden refs. Jobs are taken out of the queue first:
 * a hand-out locks in this order too, and one that is under way ends first.
 */
export async function removePipelines(ctx: Context, pipelines: readonly DeletedPipeline[]): Promise<void> {
  if (pipelines.length === 0) return;
  const ids = pipelines.map(({ id }) => id);
  const db = ctx.em.getKysely<CiDatabase>();
  await db
    .deleteFrom('ci_queue as q')
    .using('jobs as j')
    .whereRef('j.id', '=', 'q.job_id')
    .where('j.pipeline_id', '=', anyOf(ids, 'bigint'))
    .execute();
  await db.deleteFrom('pipelines').where('id', '=', anyOf(ids, 'bigint')).execute();
  for (const { id, iid, project } of pipelines)
    ctx.record({ type: 'pipeline.deleted', pipeline: { id, iid, project } });
}

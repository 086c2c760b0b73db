import type { Context } from '../../core/context/context.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { LabelPriority } from './label-relations.entity.js';

/** Gives a label a priority in a project, or takes it away with null. */
export async function setPriority(
  ctx: Context,
  projectId: number,
  labelId: number,
  priority: number | null,
): Promise<void> {
  if (priority === null) {
    await ctx.em.nativeDelete(LabelPriority, { project_id: projectId, label_id: labelId });
    return;
  }
  await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto('label_priorities')
    .values({ project_id: projectId, label_id: labelId, priority })
    .onConflict((conflict) => conflict.columns(['project_id', 'label_id']).doUpdateSet({ priority }))
    .execute();
}

import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { Invalid } from '../../core/values/errors.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { MilestoneSummary } from './issuable-changes.js';

interface MilestoneOfProject {
  readonly id: number;
  readonly project_id: number;
  readonly namespace_ids: readonly number[];
}

const findMilestone = prepareQuery<PlanningDatabase, MilestoneOfProject, MilestoneSummary>(
  (db, { id, project_id: projectId, namespace_ids: namespaceIds }) =>
    db
      .selectFrom('milestones as m')
      .select(['m.id', 'm.title'])
      .where('m.id', '=', id)
      .where((eb) =>
        eb.or([eb('m.project_id', '=', projectId), eb('m.namespace_id', '=', anyOf(namespaceIds, 'bigint'))]),
      ),
);

/**
 * The milestone of an id for something in a project: one of the project, or of a group that it lies in. Null for 0.
 * @throws Invalid for any other
 */
export async function chosenMilestone(
  ctx: Context,
  found: ProjectRecord,
  id: number,
): Promise<MilestoneSummary | null> {
  if (id === 0) return null;
  const values = { id, project_id: found.id, namespace_ids: found.namespace.traversal_ids };
  const [milestone] = await findMilestone(ctx, values);
  if (!milestone) throw new Invalid({ milestone_id: ['is invalid'] });
  return milestone;
}

import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { Milestone } from '../milestones/milestone.entity.js';
import type { NamedMilestone } from './issuable-changes.js';

/**
 * The milestone of an id for something in a project: one of the project, or of a group that it lies in. Null for 0.
 * @throws Invalid for any other
 */
export async function chosenMilestone(ctx: Context, found: ProjectRecord, id: number): Promise<NamedMilestone | null> {
  if (id === 0) return null;
  const milestone = await ctx.em.findOne(
    Milestone,
    { id, $or: [{ project_id: found.id }, { namespace_id: { $in: found.namespace.traversal_ids } }] },
    { fields: ['id', 'title'] },
  );
  if (!milestone) throw new Invalid({ milestone_id: ['is invalid'] });
  return { id: milestone.id, title: milestone.title };
}

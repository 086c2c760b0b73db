import type { Context } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import { sql } from '../../core/sql.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { NamedMilestone } from './issuable-changes.js';

/**
 * The milestone of an id for something in a project: one of the project, or of a group that it lies in. Null for 0.
 * @throws Invalid for any other
 */
export async function chosenMilestone(ctx: Context, found: ProjectRecord, id: number): Promise<NamedMilestone | null> {
  if (id === 0) return null;
  const milestone = await ctx.queryOne<NamedMilestone>(sql`
    select m.id as "id", m.title as "title" from milestones m
     where m.id = ${id}
       and (m.project_id = ${found.id} or m.namespace_id = any(${found.namespace.traversal_ids}::bigint[]))`);
  if (!milestone) throw new Invalid({ milestone_id: ['is invalid'] });
  return milestone;
}

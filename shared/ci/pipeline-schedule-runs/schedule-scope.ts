import type { Expression, SqlBool } from 'kysely';
import { anyIn, arrayFrom } from '../../core/database/expressions.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden } from '../../core/values/errors.js';
import { optional, text } from '../../core/operations/fields.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { idsWithin } from '../../tenancy/namespaces/below.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { onSchedules } from '../pipeline-schedules/pipeline-schedule.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';

/** Parameters by which what crosses projects is narrowed to one container. */
export const scopeParams = {
  project_id: optional(text()).describe('Filter by ID or full path of the project.'),
  group_id: optional(text()).describe('Filter by ID or full path of the group, including projects of its subgroups.'),
};

export interface Scope {
  project_id?: string | undefined;
  group_id?: string | undefined;
}

/**
 * The container as conditions on schedule `s` and project `p`, in addition to the visibility conditions.
 * @throws NotFound for a container that is not visible to the caller; Forbidden if the caller may not read its
 * schedules
 */
export async function scopeConditions(
  ctx: Context,
  { project_id: projectId, group_id: groupId }: Scope,
): Promise<Expression<SqlBool>[]> {
  const conditions: Expression<SqlBool>[] = [];
  if (projectId !== undefined) {
    const found = await findProject(ctx, projectId);
    if (!projectPolicy.read_pipeline_schedule(ctx.caller, found)) throw new Forbidden();
    conditions.push(onSchedules('s.project_id', '=', found.id));
  }
  if (groupId !== undefined) {
    const { id } = await findGroup(ctx, groupId);
    conditions.push(onSchedules('p.namespace_id', '=', anyIn(arrayFrom(idsWithin(id)))));
  }
  return conditions;
}

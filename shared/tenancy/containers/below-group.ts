import { expressionBuilder } from 'kysely';
import type { Expression } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyIn, arrayFrom, contains } from '../../core/database/expressions.js';
import { visibleGroupsCondition } from '../groups/group.finder.js';
import { isAtOrBelow } from '../namespaces/below.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { planningProjects } from './planning-rights.js';

const db = expressionBuilder<TenancyDatabase>();

/** Any of the ids of a group and all groups below it. */
export const anyBelow = (groupId: number | Expression<number>): Expression<number> =>
  anyIn(
    arrayFrom(
      db
        .selectFrom('namespaces as d')
        .select('d.id')
        .where((eb) => {
          const id = typeof groupId === 'number' ? eb.val(groupId) : groupId;
          return contains(eb.ref('d.traversal_ids'), eb.cast<number>(id, 'bigint'));
        }),
    ),
  );

/** Ids of projects in and below a group. */
export const projectsInAndBelow = (groupId: number) =>
  db
    .selectFrom('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .select('p.id')
    .where(isAtOrBelow('n', groupId));

/** Any of the ids of a group and the groups below it that the caller may read. */
export const anyVisibleBelow = (ctx: Context, groupId: number): Expression<number> =>
  anyIn(
    arrayFrom(
      db
        .selectFrom('namespaces as n')
        .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
        .select('n.id')
        .where(isAtOrBelow('n', groupId))
        .where(visibleGroupsCondition(ctx)),
    ),
  );

/**
 * Matches any id of the group's projects whose labels and milestones the caller may read.
 * @param below also includes projects of the subgroups
 */
export function anyPlanningProject(ctx: Context, groupId: number, below: boolean): Expression<number> {
  const projects = db
    .selectFrom('projects as p')
    .select('p.id')
    .where('p.namespace_id', '=', below ? anyBelow(groupId) : groupId)
    .where(planningProjects(ctx));
  return anyIn(arrayFrom(projects));
}

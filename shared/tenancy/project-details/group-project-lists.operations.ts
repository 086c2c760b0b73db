import type { Expression, SqlBool } from 'kysely';
import type { GroupRecord } from '../groups/group.entity.js';
import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { boolean, optional, withDefault } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { anyIn, anyOf, arrayFrom, constant } from '../../core/database/expressions.js';
import { idsWithin } from '../namespaces/below.js';
import { onProjects } from '../projects/project.finder.js';
import { attributeFilterParams } from '../containers/custom-attribute.filters.js';
import { group } from '../groups/group.finder.js';
import { today, unexpired } from '../namespaces/access.js';
import { accessFilterParams } from './project-access-filters.js';
import { featureFilterParams, resourceFilterParams } from './project-feature-filters.js';
import { groupOrderParams } from './project-order.js';
import { projectStateFilterParams } from './project-state-filters.js';
import { filteredProjects, presentationParams, searchParams } from './project.filters.js';

/** Parameters common to the project lists of a group (projects.md section 3). */
const commonParams = {
  ...projectStateFilterParams,
  search: searchParams.search,
  owned: accessFilterParams.owned,
  starred: accessFilterParams.starred,
  min_access_level: accessFilterParams.min_access_level,
  topic: resourceFilterParams.topic,
  ...featureFilterParams,
  ...attributeFilterParams,
  ...groupOrderParams,
  ...presentationParams,
};

const groupProjectParams = {
  ...commonParams,
  with_shared: withDefault(boolean(), true).describe('If `true`, includes projects that the group was invited to.'),
  include_subgroups: withDefault(boolean(), false).describe('If `true`, includes projects of descendant groups.'),
  include_ancestor_groups: withDefault(boolean(), false).describe('If `true`, includes projects of ancestor groups.'),
  with_security_reports: optional(boolean()).describe(
    'If `true`, returns only projects with security reports, of which there are none. Ultimate.',
  ),
};

type Reach = Pick<
  z.output<z.ZodObject<typeof groupProjectParams>>,
  'with_shared' | 'include_subgroups' | 'include_ancestor_groups'
>;

/** Projects that a group was invited to, or with `below` one of its subgroups. */
function invitedTo(ctx: Context, found: GroupRecord, below: boolean): Expression<SqlBool> {
  const shares = onProjects
    .selectFrom('project_shares as ps')
    .select('ps.project_id')
    .where((eb) => (below ? eb('ps.group_id', 'in', idsWithin(found.id)) : eb('ps.group_id', '=', found.id)))
    .where(unexpired('ps', today(ctx)));
  return onProjects('p.id', '=', anyIn(arrayFrom(shares)));
}

/** The projects that a group's list is about, as a condition on `p`. */
function getProjects(ctx: Context, found: GroupRecord, reach: Reach): Expression<SqlBool> {
  const own = [found.id, ...(reach.include_ancestor_groups ? found.traversal_ids : [])];
  const conditions: Expression<SqlBool>[] = [onProjects('p.namespace_id', '=', anyOf(own, 'bigint'))];
  if (reach.include_subgroups)
    conditions.push(onProjects('p.namespace_id', '=', anyIn(arrayFrom(idsWithin(found.id)))));
  if (reach.with_shared) conditions.push(invitedTo(ctx, found, reach.include_subgroups));
  return onProjects.or(conditions);
}

/** List a group's projects, and those that it was invited to, as the caller may see them. */
export const listGroupProjects = operation({
  name: 'listGroupProjects',
  summary: "List a group's projects",
  resource: group,
  authentication: 'open',
  limit: 'group_projects',
  kind: 'read',
  statements: 6,
  params: groupProjectParams,
  run(ctx, found, input) {
    const where = [getProjects(ctx, found, input)];
    if (input.with_security_reports && ctx.hasPlan('ultimate')) where.push(constant(false));
    return Promise.resolve(filteredProjects(ctx, input, { where, similarity: 'any' }));
  },
});

/** List the projects that a group was invited to, as the caller may see them. */
export const listSharedProjects = operation({
  name: 'listSharedProjects',
  summary: 'List the projects shared with a group',
  resource: group,
  authentication: 'open',
  limit: 'group_projects',
  kind: 'read',
  statements: 6,
  params: commonParams,
  run: (ctx, found, input) =>
    Promise.resolve(filteredProjects(ctx, input, { where: [invitedTo(ctx, found, false)], similarity: 'any' })),
});

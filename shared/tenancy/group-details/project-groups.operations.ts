import type { Expression, SqlBool } from 'kysely';
import type { GroupRecord } from '../groups/group.entity.js';
import type { ProjectRecord } from '../projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { allOf, anyOf, constant } from '../../core/database/expressions.js';
import { boolean, integer, list, optional, oneOfIntegers, text, withDefault } from '../../core/operations/fields.js';
import { byId } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { groupsWhere, groupMatchesName, onGroups, visibleGroupsCondition } from '../groups/group.finder.js';
import { today, unexpired } from '../namespaces/access.js';
import { project } from '../projects/project.finder.js';
import { projectPolicy } from '../projects/project.policy.js';

interface Input {
  search?: string | undefined;
  skip_groups?: number[] | undefined;
  with_shared: boolean;
  shared_visible_only: boolean;
  shared_min_access_level?: number | undefined;
}

/** Groups that a project is shared with: Maintainers see all of them, others those that they may read. */
function invited(ctx: Context, found: ProjectRecord, input: Input): Expression<SqlBool> {
  let shares = onGroups
    .selectFrom('project_shares as s')
    .select(onGroups.lit(1).as('one'))
    .where('s.project_id', '=', found.id)
    .whereRef('s.group_id', '=', 'n.id')
    .where(unexpired('s', today(ctx)));
  if (input.shared_min_access_level !== undefined)
    shares = shares.where('s.group_access', '>=', input.shared_min_access_level);
  const all = projectPolicy.admin_project(ctx.caller, found) && !input.shared_visible_only;
  return all ? onGroups.exists(shares) : onGroups.and([onGroups.exists(shares), visibleGroupsCondition(ctx)]);
}

/**
 * The ancestor groups of a project, visible to all callers who may read the project, and its invited groups; newest
 * first.
 */
function getGroups(ctx: Context, found: ProjectRecord, input: Input): List<GroupRecord> {
  const above = onGroups('n.id', '=', anyOf(found.namespace.traversal_ids, 'bigint'));
  const where: Expression<SqlBool>[] = [
    onGroups('n.kind', '=', constant('group')),
    input.with_shared ? onGroups.or([above, invited(ctx, found, input)]) : above,
  ];
  if (input.search !== undefined) where.push(groupMatchesName(input.search));
  if (input.skip_groups !== undefined) where.push(onGroups('n.id', '<>', allOf(input.skip_groups, 'bigint')));
  return { ...groupsWhere(ctx, where), order: [byId<GroupRecord>('n', 'desc')] };
}

/** List the groups that a project lies in, and on wish those that it is shared with. */
export const listProjectGroups = operation({
  name: 'listProjectGroups',
  summary: 'List the groups of a project',
  resource: project,
  can: can(projectPolicy, 'read_project'),
  kind: 'read',
  statements: 4,
  params: {
    search: optional(text()).describe('Part of the name or path of the group.'),
    skip_groups: optional(list(integer(), { commas: true })).describe('IDs of the groups to exclude.'),
    with_shared: withDefault(boolean(), false).describe('If `true`, includes groups that the project is shared with.'),
    shared_visible_only: withDefault(boolean(), false).describe(
      'If `true`, includes only those shared groups that the caller can read.',
    ),
    shared_min_access_level: optional(oneOfIntegers([10, 15, 20, 30, 40, 50])).describe(
      'Minimum access level of the groups that the project is shared with.',
    ),
  },
  run: (ctx, found, input) => Promise.resolve(getGroups(ctx, found, input)),
});

import type { GroupRecord } from '../groups/group.entity.js';
import type { z } from 'zod';
import { list, optional, oneOf } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { anyOf } from '../../core/database/expressions.js';
import { attributeFilterParams } from '../containers/custom-attribute.filters.js';
import { groupFilterParams, filteredGroups } from './group.filters.js';
import { group, onGroups } from '../groups/group.finder.js';
import { today, unexpired } from '../namespaces/access.js';

const { search, min_access_level, skip_groups, visibility, order_by, sort } = groupFilterParams;

/** List the groups that a group is invited to, as far as the caller may see them. */
export const listSharedGroups = operation({
  name: 'listSharedGroups',
  summary: 'List the groups that a group is invited to',
  limit: 'group_shared_groups',
  resource: group,
  authentication: 'open',
  kind: 'read',
  statements: 5,
  params: { search, min_access_level, skip_groups, visibility, order_by, sort, ...attributeFilterParams },
  run(ctx, found, input) {
    const shared = onGroups
      .selectFrom('group_shares as s')
      .select('s.namespace_id')
      .where('s.group_id', '=', found.id)
      .where(unexpired('s', today(ctx)));
    return Promise.resolve(filteredGroups(ctx, [onGroups('n.id', 'in', shared)], input));
  },
});

const relationParam = {
  relation: optional(list(oneOf(['direct', 'inherited']), { commas: true })).describe(
    'Filter by relation: invited to the group itself, or to an ancestor group; both if omitted.',
  ),
};

/** Ids of the groups whose invitations match the requested relations. */
function invitingIds(found: GroupRecord, { relation }: z.output<z.ZodObject<typeof relationParam>>): number[] {
  const relations = relation && relation.length > 0 ? relation : ['direct', 'inherited'];
  return found.traversal_ids.filter((id) => relations.includes(id === found.id ? 'direct' : 'inherited'));
}

/** List the groups that are invited to a group, as far as the caller may see them. */
export const listInvitedGroups = operation({
  name: 'listInvitedGroups',
  summary: 'List the groups that are invited to a group',
  limit: 'group_invited_groups',
  resource: group,
  authentication: 'open',
  kind: 'read',
  statements: 5,
  params: { ...relationParam, search, min_access_level, ...attributeFilterParams },
  run(ctx, found, input) {
    const invited = onGroups
      .selectFrom('group_shares as s')
      .select('s.group_id')
      .where('s.namespace_id', '=', anyOf(invitingIds(found, input), 'bigint'))
      .where(unexpired('s', today(ctx)));
    return Promise.resolve(filteredGroups(ctx, [onGroups('n.id', 'in', invited)], input));
  },
});

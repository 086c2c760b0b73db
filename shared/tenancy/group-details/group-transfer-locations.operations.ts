import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { memberOfGroup, today } from '../namespaces/access.js';
import { group, onGroups } from '../groups/group.finder.js';
import { isAtOrBelow } from '../namespaces/below.js';
import { filteredGroups } from './group.filters.js';
import { groupPolicy } from '../groups/group.policy.js';

const MAINTAINER = 40;
const OWNER = 50;

/** Groups in which the caller may make subgroups: the same rule as `create_subgroup`, as a condition on `n` and `gs`. */
function subgroupsAllowed(ctx: Context): Expression<SqlBool> {
  const isStanding = onGroups.and([onGroups.not(onGroups.ref('n.frozen')), onGroups.not(onGroups.ref('n.archived'))]);
  if (ctx.caller.admin) return isStanding;
  const asOwner = memberOfGroup(ctx.caller.id, today(ctx), OWNER);
  const asMaintainer = memberOfGroup(ctx.caller.id, today(ctx), MAINTAINER);
  const forMaintainers = onGroups('gs.subgroup_creation_level', '=', constant('maintainer'));
  return onGroups.and([isStanding, onGroups.or([asOwner, onGroups.and([forMaintainers, asMaintainer])])]);
}

/** List the groups that a group may be transferred to. */
export const listGroupTransferLocations = operation({
  name: 'listGroupTransferLocations',
  summary: 'List the groups that a group may be transferred to',
  resource: group,
  can: can(groupPolicy, 'transfer_group'),
  kind: 'read',
  statements: 5,
  params: { search: optional(text()).describe('Part of the name or path of the group.') },
  run(ctx, found, input) {
    const elsewhere = [
      onGroups.not(isAtOrBelow('n', found.id)),
      onGroups('n.id', 'is distinct from', found.parent_id ?? null),
    ];
    return Promise.resolve(filteredGroups(ctx, [...elsewhere, subgroupsAllowed(ctx)], input));
  },
});

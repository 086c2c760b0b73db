import type { Context } from '../../core/context.js';
import { optional, text } from '../../core/fields.js';
import { can, operation } from '../../core/operation.js';
import { or, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { memberOfGroup, today } from '../access/access.js';
import { group } from '../groups/group.finder.js';
import { filteredGroups } from '../group-lists/group.lists.js';
import { groupPolicy } from '../groups/group.policy.js';

const MAINTAINER = 40;
const OWNER = 50;

/** Groups in which the caller may make subgroups: the same rule as `create_subgroup`, as a condition on `n` and `gs`. */
function subgroupsAllowed(ctx: Context): Fragment {
  const asOwner = memberOfGroup(ctx.caller.id, today(ctx), OWNER);
  const asMaintainer = memberOfGroup(ctx.caller.id, today(ctx), MAINTAINER);
  const allowed = ctx.caller.admin
    ? sql`true`
    : or([asOwner, sql`gs.subgroup_creation_level = 'maintainer' and ${asMaintainer}`]);
  return sql`not n.frozen and not n.archived and (${allowed})`;
}

/** List the groups that a group may be transferred to. */
export const listGroupTransferLocations = operation({
  name: 'listGroupTransferLocations',
  summary: 'List the groups that a group may be transferred to',
  subject: group,
  can: can(groupPolicy, 'transfer_group'),
  kind: 'read',
  statements: 5,
  params: { search: optional(text()).describe('Part of name or path.') },
  run(ctx, found, input) {
    const elsewhere = sql`not n.traversal_ids @> array[${found.id}]::bigint[] and n.id is distinct from ${found.parent_id}`;
    return Promise.resolve(filteredGroups(ctx, [elsewhere, subgroupsAllowed(ctx)], input));
  },
});

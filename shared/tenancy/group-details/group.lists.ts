import type { Expression, SqlBool } from 'kysely';
import type { GroupRecord } from '../groups/group.record.js';
import type { Context } from '../../core/context/context.js';
import { boolean, optional } from '../../core/operations/fields.js';
import type { Keyset, List } from '../../core/database/list.js';
import { groupConditions, groupOrder } from './group.filters.js';
import type { GroupFilters } from './group.filters.js';
import { visibleGroups } from '../groups/group.finder.js';

export const statisticsParam = {
  statistics: optional(boolean()).describe('With what the projects right in it store. For administrators.'),
};

type Wish = Partial<GroupFilters>;

/** Groups within `where` that the caller may see, filtered and ordered as asked. */
export function filteredGroups(ctx: Context, where: readonly Expression<SqlBool>[], input: Wish): List<GroupRecord> {
  return { ...visibleGroups(ctx, [...where, ...groupConditions(ctx, input)]), order: groupOrder(input) };
}

/** Anonymous callers page by keyset in the order by name; who is signed in is answered by offset (seed 8a). */
export function groupKeyset(ctx: Context, input: Wish): Keyset<GroupRecord> {
  const byName = (input.order_by ?? 'name') === 'name' && (input.sort ?? 'asc') === 'asc';
  return { type: 'Group', by: 'cursor', offered: ctx.caller.anonymous ? byName : 'offset' };
}

import type { Context } from '../../core/context.js';
import { flag, maybe } from '../../core/fields.js';
import type { Keyset, List } from '../../core/list.js';
import type { Sql } from '../../core/sql.js';
import { askAttributes } from '../custom-attributes/custom-attribute.filters.js';
import { groupConditions, groupOrder } from './group.filters.js';
import type { GroupFilters } from './group.filters.js';
import { visibleGroups } from './group.finder.js';
import type { GroupRecord } from './group.finder.js';

export const statisticsParam = {
  statistics: maybe(flag()).describe('With what the projects right in it store. For administrators.'),
};

type Wish = Partial<GroupFilters> & { statistics?: boolean | undefined };

/** Has the shape load what the groups' projects store; of others than administrators it is ignored. */
function askStatistics(ctx: Context, list: List<GroupRecord>, asked: boolean | undefined): List<GroupRecord> {
  if (!asked || !ctx.caller.admin) return list;
  const { read = (group: GroupRecord) => group } = list;
  return { ...list, read: (group) => ({ ...read(group), with_statistics: true }) };
}

/** Groups within `where` that the caller may see, filtered and ordered as asked. */
export function filteredGroups(ctx: Context, where: readonly Sql[], input: Wish): List<GroupRecord> {
  const list = { ...visibleGroups(ctx, [...where, ...groupConditions(ctx, input)]), order: groupOrder(input) };
  return askStatistics(ctx, askAttributes(ctx, list, input.with_custom_attributes), input.statistics);
}

/** Anonymous callers page by keyset in the order by name; who is signed in is answered by offset (seed 8a). */
export function groupKeyset(ctx: Context, input: Wish): Keyset<GroupRecord> {
  const byName = (input.order_by ?? 'name') === 'name' && (input.sort ?? 'asc') === 'asc';
  return { type: 'Group', by: 'cursor', offered: ctx.caller.anonymous ? byName : 'offset' };
}

import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { GroupRecord } from '../groups/group.entity.js';
import type { Context } from '../../core/context/context.js';
import { allOf, constant } from '../../core/database/expressions.js';
import {
  boolean,
  integer,
  list,
  optional,
  oneOf,
  oneOfIntegers,
  text,
  withDefault,
} from '../../core/operations/fields.js';
import { byId } from '../../core/database/list.js';
import type { List, OrderStep, Keyset } from '../../core/database/list.js';
import { attributeConditions, attributeFilterParams } from '../containers/custom-attribute.filters.js';
import { memberOfGroup, today } from '../namespaces/access.js';
import { groupMatchesName, onGroups, ownGroupsCondition, visibleGroups } from '../groups/group.finder.js';
import { VISIBILITY } from '../namespaces/namespace.entity.js';
import { groupStateConditions, groupStateFilterParams } from './group-state-filters.js';

const LEVELS = [5, 10, 15, 20, 30, 40, 50];

/** Parameters of group lists (core-resources.md section 3). */
export const groupFilterParams = {
  search: optional(text()).describe('Part of the name or path of the group.'),
  owned: optional(boolean()).describe('If `true`, returns only groups in which the caller is an Owner.'),
  min_access_level: optional(oneOfIntegers(LEVELS)).describe('Minimum access level of the caller in the group.'),
  all_available: optional(boolean()).describe('If `false`, returns only groups that the caller belongs to.'),
  top_level_only: optional(boolean()).describe('If `true`, returns only top-level groups.'),
  visibility: optional(oneOf(VISIBILITY)).describe('Filter by the visibility of the group.'),
  skip_groups: optional(list(integer(), { commas: true })).describe('IDs of the groups to exclude.'),
  ...groupStateFilterParams,
  ...attributeFilterParams,
  order_by: withDefault(oneOf(['name', 'path', 'id', 'similarity']), 'name').describe('Field to sort the groups by.'),
  sort: withDefault(oneOf(['asc', 'desc']), 'asc').describe('Direction of the sort order.'),
};

export type GroupFilters = z.output<z.ZodObject<typeof groupFilterParams>>;

/** The level that the caller must have by membership, or null; being an administrator is no membership. */
function memberLevel(input: Partial<GroupFilters>): number | null {
  if (input.owned) return Math.max(50, input.min_access_level ?? 0);
  return input.min_access_level ?? null;
}

/** Conditions on `n` and `gs` for the filters. */
function groupConditions(ctx: Context, input: Partial<GroupFilters>): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  const level = memberLevel(input);
  if (level !== null)
    conditions.push(ctx.caller.anonymous ? constant(false) : memberOfGroup(ctx.caller.id, today(ctx), level));
  if (input.all_available === false && !ctx.caller.anonymous) conditions.push(ownGroupsCondition(ctx));
  if (input.search !== undefined) conditions.push(groupMatchesName(input.search));
  if (input.top_level_only) conditions.push(onGroups('n.parent_id', 'is', null));
  if (input.visibility !== undefined) conditions.push(onGroups('n.visibility', '=', input.visibility));
  if (input.skip_groups !== undefined) conditions.push(onGroups('n.id', '<>', allOf(input.skip_groups, 'bigint')));
  conditions.push(...groupStateConditions(ctx, input));
  conditions.push(...attributeConditions(ctx, 'group', onGroups.ref('n.id'), input.custom_attributes));
  return conditions;
}

const idStep = (direction: 'asc' | 'desc'): OrderStep<GroupRecord> => byId('n', direction);

/** The requested order; ties by id ascending. Similarity requires a search, otherwise it falls back to name. */
function groupOrder(input: Partial<GroupFilters>): List<GroupRecord>['order'] {
  const { search, sort = 'asc' } = input;
  if (input.order_by === 'id') return [idStep(sort)];
  if (input.order_by === 'similarity' && search !== undefined) {
    const similarity = (column: 'n.name' | 'n.path') => onGroups.fn('similarity', [column, onGroups.val(search)]);
    const expression = onGroups.fn('greatest', [similarity('n.path'), similarity('n.name')]);
    // The best match always comes first, whatever `sort` is: the worst matches first would be useless.
    return [{ key: 'similarity', expression, direction: 'desc', type: 'text', value: () => null }, idStep('asc')];
  }
  const column = input.order_by === 'path' ? 'path' : 'name';
  const step: OrderStep<GroupRecord> = {
    key: column,
    expression: onGroups.ref(`n.${column}`),
    direction: sort,
    type: 'text',
    value: (group) => group[column],
  };
  return [step, idStep('asc')];
}

export const statisticsParam = {
  statistics: optional(boolean()).describe(
    'If `true`, includes the storage statistics of the projects directly in the group. For administrators.',
  ),
};

type GroupListInput = Partial<GroupFilters>;

/** Groups within `where` that are visible to the caller, with the requested filters and order. */
export function filteredGroups(
  ctx: Context,
  where: readonly Expression<SqlBool>[],
  input: GroupListInput,
): List<GroupRecord> {
  return { ...visibleGroups(ctx, [...where, ...groupConditions(ctx, input)]), order: groupOrder(input) };
}

/**
 * Anonymous callers get keyset pagination in the order by name; signed-in callers get offset pagination
 * (rest-conventions.md section 7).
 */
export function groupKeyset(ctx: Context, input: GroupListInput): Keyset<GroupRecord> {
  const byName = (input.order_by ?? 'name') === 'name' && (input.sort ?? 'asc') === 'asc';
  return { type: 'Group', by: 'cursor', offered: ctx.caller.anonymous ? byName : 'offset' };
}

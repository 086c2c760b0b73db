import type { GroupRecord } from '../groups/group.record.js';
import type { z } from 'zod';
import type { Context } from '../../core/context.js';
import { boolean, integer, list, optional, oneOf, oneOfIntegers, text, withDefault } from '../../core/fields.js';
import type { TextList, OrderStep } from '../../core/list.js';
import { attributeConditions, attributeFilterParams } from '../custom-attributes/custom-attribute.filters.js';
import { likeLiteral, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { memberOfGroup, today } from '../access/access.js';
import { ownGroupsCondition } from '../groups/group.finder.js';
import { groupStateConditions, groupStateFilterParams } from './group-state-filters.js';
import { VISIBILITY } from '../namespaces/visibility.js';

const LEVELS = [5, 10, 15, 20, 30, 40, 50];

/** Parameters of group lists (core-resources.md section 3). */
export const groupFilterParams = {
  search: optional(text()).describe('Part of name or path.'),
  owned: optional(boolean()).describe('Only groups in which the caller is an Owner.'),
  min_access_level: optional(oneOfIntegers(LEVELS)).describe('Only groups in which the caller has this level or more.'),
  all_available: optional(boolean()).describe('False: only groups that the caller belongs to.'),
  top_level_only: optional(boolean()).describe('Without subgroups.'),
  visibility: optional(oneOf(VISIBILITY)).describe('Only groups of this visibility.'),
  skip_groups: optional(list(integer(), { commas: true })).describe('Ids of groups to leave out.'),
  ...groupStateFilterParams,
  ...attributeFilterParams,
  order_by: withDefault(oneOf(['name', 'path', 'id', 'similarity']), 'name').describe('Column to order by.'),
  sort: withDefault(oneOf(['asc', 'desc']), 'asc').describe('Direction of the order.'),
};

export type GroupFilters = z.output<z.ZodObject<typeof groupFilterParams>>;

/** The level that the caller must have by membership, or null; being an administrator is no membership. */
function memberLevel(input: Partial<GroupFilters>): number | null {
  if (input.owned) return Math.max(50, input.min_access_level ?? 0);
  return input.min_access_level ?? null;
}

/** Conditions on `n` and `gs` for the filters. */
export function groupConditions(ctx: Context, input: Partial<GroupFilters>): Fragment[] {
  const conditions: Fragment[] = [];
  const level = memberLevel(input);
  if (level !== null)
    conditions.push(ctx.caller.anonymous ? sql`false` : memberOfGroup(ctx.caller.id, today(ctx), level));
  if (input.all_available === false && !ctx.caller.anonymous) conditions.push(ownGroupsCondition(ctx));
  if (input.search !== undefined) {
    const pattern = `%${likeLiteral(input.search)}%`;
    conditions.push(sql`n.name ilike ${pattern} or n.path ilike ${pattern}`);
  }
  if (input.top_level_only) conditions.push(sql`n.parent_id is null`);
  if (input.visibility !== undefined) conditions.push(sql`n.visibility = ${input.visibility}`);
  if (input.skip_groups !== undefined) conditions.push(sql`n.id <> all(${input.skip_groups}::bigint[])`);
  conditions.push(...groupStateConditions(ctx, input));
  conditions.push(...attributeConditions(ctx, 'group', sql`n.id`, input.custom_attributes));
  return conditions;
}

const idStep = (direction: 'asc' | 'desc'): OrderStep<GroupRecord> => ({
  key: 'id',
  expression: raw('n.id'),
  direction,
  type: 'integer',
  value: (group) => group.id,
});

/** The order that was asked for; ties by id ascending. Similarity needs a search, else it is the order by name. */
export function groupOrder(input: Partial<GroupFilters>): TextList<GroupRecord>['order'] {
  const { search, sort = 'asc' } = input;
  if (input.order_by === 'id') return [idStep(sort)];
  if (input.order_by === 'similarity' && search !== undefined) {
    const expression = sql`greatest(similarity(n.path, ${search}), similarity(n.name, ${search}))`;
    // The best match comes first, whatever `sort` says: nobody looks for the worst.
    return [{ key: 'similarity', expression, direction: 'desc', type: 'text', value: () => null }, idStep('asc')];
  }
  const column = input.order_by === 'path' ? 'path' : 'name';
  const step: OrderStep<GroupRecord> = {
    key: column,
    expression: raw(`n.${column}`),
    direction: sort,
    type: 'text',
    value: (group) => group[column],
  };
  return [step, idStep('asc')];
}

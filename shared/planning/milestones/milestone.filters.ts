import type { Expression, SqlBool } from 'kysely';
import type { ContainerKind } from '../../core/operations/container.js';
import { anyOf, likeLiteral } from '../../core/database/expressions.js';
import {
  boolean,
  day,
  instant,
  integer,
  list,
  oneOf,
  optional,
  text,
  withDefault,
} from '../../core/operations/fields.js';
import { onMilestones } from './milestone.finder.js';

const ofGroups = () => ({
  include_descendants: withDefault(boolean(), false).describe(
    'If `true`, includes milestones of descendant groups and projects.',
  ),
});

/** Only groups have something below them. */
const groupParams = (kind: ContainerKind) => (kind === 'group' ? ofGroups() : {}) as ReturnType<typeof ofGroups>;

const MAX_IDS = 100;

/** How milestones are chosen in lists (core-resources.md section 8). */
export const milestoneFilterParams = (kind: ContainerKind) => ({
  iids: optional(list(integer(), { commas: true, max: MAX_IDS })).describe(
    'Internal IDs of the milestones to return; without effect together with milestones of other projects or groups.',
  ),
  ids: optional(list(integer(), { commas: true, max: MAX_IDS })).describe('IDs of the milestones to return.'),
  state: withDefault(oneOf(['active', 'closed', 'all']), 'all').describe(
    'Filter by state: `active`, `closed` or `all`.',
  ),
  title: optional(text()).describe('Exact title of the milestone.'),
  search: optional(text()).describe('Part of the title or description of the milestone.'),
  search_title: optional(text()).describe('Part of the title of the milestone.'),
  include_ancestors: withDefault(boolean(), false).describe('If `true`, includes milestones of ancestor groups.'),
  include_parent_milestones: withDefault(boolean(), false).describe('Older name of `include_ancestors`.'),
  updated_before: optional(instant()).describe('Returns milestones updated before this time.'),
  updated_after: optional(instant()).describe('Returns milestones updated after this time.'),
  containing_date: optional(day()).describe('Returns milestones whose period contains this date.'),
  ...groupParams(kind),
});

interface Filters {
  iids?: readonly number[] | undefined;
  ids?: readonly number[] | undefined;
  state: string;
  title?: string | undefined;
  search?: string | undefined;
  search_title?: string | undefined;
  updated_before?: Date | undefined;
  updated_after?: Date | undefined;
  containing_date?: string | undefined;
}

/** That a day lies in the time of milestone `m`, which has a beginning or an end. */
function containsDay(day: string): Expression<SqlBool> {
  const on = onMilestones.cast<string>(onMilestones.val(day), 'date');
  return onMilestones.and([
    onMilestones.or([onMilestones('m.start_date', 'is not', null), onMilestones('m.due_date', 'is not', null)]),
    onMilestones.or([onMilestones('m.start_date', 'is', null), onMilestones('m.start_date', '<=', on)]),
    onMilestones.or([onMilestones('m.due_date', 'is', null), onMilestones('m.due_date', '>=', on)]),
  ]);
}

/** The passed filters as conditions on `m`. */
export function milestoneFilters(filters: Filters, wide: boolean): Expression<SqlBool>[] {
  const { iids, ids, state, title, search, search_title: inTitle, updated_before, updated_after } = filters;
  const { containing_date: on } = filters;
  const has = (column: 'title' | 'description', term: string) =>
    onMilestones(`m.${column}`, 'ilike', `%${likeLiteral(term)}%`);
  const where: Expression<SqlBool>[] = [];
  if (iids && iids.length > 0 && !wide) where.push(onMilestones('m.iid', '=', anyOf(iids, 'bigint')));
  if (ids) where.push(onMilestones('m.id', '=', anyOf(ids, 'bigint')));
  if (state !== 'all') where.push(onMilestones('m.state', '=', state));
  if (title !== undefined) where.push(onMilestones('m.title', '=', title));
  if (inTitle) where.push(has('title', inTitle));
  if (search) where.push(onMilestones.or([has('title', search), has('description', search)]));
  if (updated_before) where.push(onMilestones('m.updated_at', '<', updated_before));
  if (updated_after) where.push(onMilestones('m.updated_at', '>', updated_after));
  if (on) where.push(containsDay(on));
  return where;
}

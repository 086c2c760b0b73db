import type { ContainerKind } from '../../core/container.js';
import { boolean, day, instant, integer, list, oneOf, optional, text, withDefault } from '../../core/fields.js';
import { likeLiteral, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

const ofGroups = () => ({
  include_descendants: withDefault(boolean(), false).describe('Also milestones of the groups and projects below it.'),
});

/** Only groups have something below them. */
const groupParams = (kind: ContainerKind) => (kind === 'group' ? ofGroups() : {}) as ReturnType<typeof ofGroups>;

const MOST_NAMED = 100;

/** How milestones are chosen in lists (core-resources.md section 8). */
export const milestoneFilterParams = (kind: ContainerKind) => ({
  iids: optional(list(integer(), { commas: true, max: MOST_NAMED })).describe(
    'Only those with these numbers; without effect together with milestones of other places.',
  ),
  ids: optional(list(integer(), { commas: true, max: MOST_NAMED })).describe('Only those with these ids.'),
  state: withDefault(oneOf(['active', 'closed', 'all']), 'all').describe('Only active, or only closed ones.'),
  title: optional(text()).describe('Only those of exactly this title.'),
  search: optional(text()).describe('Part of title or description.'),
  search_title: optional(text()).describe('Part of the title.'),
  include_ancestors: withDefault(boolean(), false).describe('Also milestones of the groups above it.'),
  include_parent_milestones: withDefault(boolean(), false).describe('Older name of `include_ancestors`.'),
  updated_before: optional(instant()).describe('Only those that last changed before.'),
  updated_after: optional(instant()).describe('Only those that last changed after.'),
  containing_date: optional(day()).describe('Only those whose time this day lies in.'),
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

/** The filters given, as conditions on `m`. */
export function milestoneFilters(given: Filters, wide: boolean): Fragment[] {
  const { iids, ids, state, title, search, search_title: inTitle, updated_before, updated_after } = given;
  const { containing_date: on } = given;
  const pattern = (words: string) => `%${likeLiteral(words)}%`;
  return [
    ...(iids === undefined || iids.length === 0 || wide ? [] : [sql`m.iid = any(${[...iids]}::bigint[])`]),
    ...(ids === undefined ? [] : [sql`m.id = any(${[...ids]}::bigint[])`]),
    ...(state === 'all' ? [] : [sql`m.state = ${state}`]),
    ...(title === undefined ? [] : [sql`m.title = ${title}`]),
    ...(inTitle ? [sql`m.title ilike ${pattern(inTitle)}`] : []),
    ...(search ? [sql`m.title ilike ${pattern(search)} or m.description ilike ${pattern(search)}`] : []),
    ...(updated_before ? [sql`m.updated_at < ${updated_before}`] : []),
    ...(updated_after ? [sql`m.updated_at > ${updated_after}`] : []),
    ...(on
      ? [
          sql`(m.start_date is not null or m.due_date is not null)
              and (m.start_date is null or m.start_date <= ${on}::date)
              and (m.due_date is null or m.due_date >= ${on}::date)`,
        ]
      : []),
  ];
}

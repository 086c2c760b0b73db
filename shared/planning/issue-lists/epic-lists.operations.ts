import { expressionBuilder } from 'kysely';
import type { AliasableExpression, Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { anyIn, anyOf, arrayFrom, constant } from '../../core/database/expressions.js';
import {
  boolean,
  instant,
  integer,
  list,
  object,
  oneOf,
  optional,
  text,
  withDefault,
} from '../../core/operations/fields.js';
import type { List, MatchingQuery, OrderStep } from '../../core/database/list.js';
import { byId } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { mutuallyExclusive } from '../../core/operations/params.js';
import { group, onGroups, visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import { isAtOrBelow } from '../../tenancy/namespaces/below.js';
import { awardableEpic } from '../award-emoji/awardable.js';
import { reactedWith } from '../award-emoji/award-emoji.finder.js';
import { epicsOfGroups } from '../epics/epic.finder.js';
import { endOfEpic, startOfEpic } from '../epics/epic-dates.js';
import { groupEpicPolicy } from '../epics/epic.policy.js';
import type { ListedEpic } from '../epics/epic.entity.js';
import { onEpics } from '../epics/visible-epics.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { orLastDay } from './issuable-order.js';
import { not } from './issuable-conditions.js';
import { hasLabel, hasLabels, userIdOfName } from '../issuables/issuable-filters.js';
import { searchConditions, SEARCHED } from '../issuables/issuable-search.js';
import { epicType } from '../issuables/issuable-type.js';
import { labelsOfGroups } from './issuable-scopes.js';
import { labelsOfFilters } from '../issuables/labels-of-titles.js';
import type { LabelIds } from '../issuables/labels-of-titles.js';
import { labelTitles } from '../issuables/issue-values.js';

/** Beyond REST of the public API: the two days, as GraphQL offers them. */
const ORDERS = ['created_at', 'updated_at', 'title', 'start_date', 'due_date'] as const;
type Order = (typeof ORDERS)[number];
const IIDS = 1000;

/** What `not[…]` takes as well. */
const resourceParams = {
  labels: labelTitles().describe(
    'Titles of labels that the epic has all of; `None` for epics without labels, `Any` for epics with any label.',
  ),
  author_id: optional(integer()).describe('ID of the author of the epic.'),
  author_username: optional(text()).describe('Username of the author of the epic.'),
  my_reaction_emoji: optional(text()).describe(
    'Name of an emoji that the caller reacted to the epic with, or `None` or `Any`.',
  ),
};

const listParams = {
  ...resourceParams,
  iids: optional(list(integer(), { commas: true, max: IIDS })).describe('Internal IDs of the epics to return.'),
  state: optional(oneOf(['opened', 'closed', 'all'])).describe('Filter by state: `opened`, `closed` or `all`.'),
  search: optional(text()).describe('Words that must all be in the title or description of the epic.'),
  confidential: optional(boolean()).describe(
    'If `true`, returns only confidential epics; if `false`, only epics that are not confidential.',
  ),
  created_after: optional(instant()).describe('Returns epics created at or after this time.'),
  created_before: optional(instant()).describe('Returns epics created at or before this time.'),
  updated_after: optional(instant()).describe('Returns epics updated at or after this time.'),
  updated_before: optional(instant()).describe('Returns epics updated at or before this time.'),
  include_descendant_groups: withDefault(boolean(), true).describe('If `true`, includes epics of descendant groups.'),
  include_ancestor_groups: withDefault(boolean(), false).describe('If `true`, includes epics of ancestor groups.'),
  order_by: withDefault(oneOf(ORDERS), 'created_at').describe('Field to sort the epics by.'),
  sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the sort order.'),
  with_labels_details: withDefault(boolean(), false).describe(
    'If `true`, returns labels as records instead of titles.',
  ),
  not: optional(object(resourceParams)).describe('Filters that exclude the epics that match them.'),
};
type Input = z.output<z.ZodObject<typeof listParams>>;
type Shared = NonNullable<Input['not']>;

/** Titles as passed, as an array or a comma-separated string: no title contains a comma. */
const getTitles = (labels: readonly string[] = []): string[] =>
  labels
    .flatMap((one) => one.split(','))
    .map((title) => title.trim())
    .filter((title) => title !== '');

/** What both the filters and `not` say. */
function sharedConditions(ctx: Context, filters: Shared, labelIds: LabelIds): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (filters.author_id !== undefined) where.push(onEpics('i.author_id', '=', filters.author_id));
  if (filters.author_username) where.push(onEpics('i.author_id', '=', userIdOfName(filters.author_username)));
  if (filters.my_reaction_emoji && !ctx.caller.anonymous)
    where.push(reactedWith(ctx, awardableEpic, 'i', filters.my_reaction_emoji));
  for (const title of getTitles(filters.labels)) {
    const keyword = title.toLowerCase();
    if (keyword === 'none') where.push(not(hasLabels(epicType)));
    else where.push(keyword === 'any' ? hasLabels(epicType) : hasLabel(epicType, labelIds.get(title) ?? []));
  }
  return where;
}

function conditions(ctx: Context, filters: Input, labelIds: LabelIds): Expression<SqlBool>[] {
  const where = sharedConditions(ctx, filters, labelIds);
  if (filters.not) where.push(onEpics.and(sharedConditions(ctx, filters.not, labelIds).map(not)));
  const iids = filters.iids?.filter((iid) => Math.abs(iid) < 2 ** 31) ?? [];
  if (filters.iids && filters.iids.length > 0) where.push(onEpics('i.iid', '=', anyOf(iids, 'int')));
  if (filters.state && filters.state !== 'all') where.push(onEpics('i.state', '=', filters.state));
  if (filters.search) where.push(...searchConditions(filters.search, SEARCHED));
  if (filters.confidential !== undefined) where.push(onEpics('i.confidential', '=', constant(filters.confidential)));
  if (filters.created_after) where.push(onEpics('i.created_at', '>=', filters.created_after));
  if (filters.created_before) where.push(onEpics('i.created_at', '<=', filters.created_before));
  if (filters.updated_after) where.push(onEpics('i.updated_at', '>=', filters.updated_after));
  if (filters.updated_before) where.push(onEpics('i.updated_at', '<=', filters.updated_before));
  return where;
}

type Step = OrderStep<ListedEpic>;

/** The computed sort expression for an order; epics without a date come last. */
function computed(by: Order, direction: 'asc' | 'desc'): AliasableExpression<string> | null {
  if (by === 'title') return onEpics.fn<string>('lower', ['i.title']);
  const day = by === 'start_date' ? startOfEpic : by === 'due_date' ? endOfEpic : null;
  return day && orLastDay(day, direction);
}

function getStep(by: Order, direction: 'asc' | 'desc'): Step {
  const expression = computed(by, direction);
  if (expression) return { key: 'ordering', expression, direction, type: 'text', value: (epic) => epic.ordering };
  const instant = by === 'created_at' ? 'created_at' : 'updated_at';
  return {
    key: instant,
    expression: onEpics.ref(`i.${instant}`),
    direction,
    type: 'instant',
    value: (epic) => epic[instant],
  };
}

/** A list of epics, with a flag for whether labels are rendered as objects. */
export interface EpicList extends List<ListedEpic> {
  readonly with_labels_details: boolean;
}

/** Matches any of the selected groups that the caller can read. */
function anyGroup(ctx: Context, found: GroupRecord, filters: Input): Expression<number> {
  const ways: Expression<SqlBool>[] = [onGroups('n.id', '=', found.id)];
  if (filters.include_descendant_groups) ways.push(isAtOrBelow('n', found.id));
  if (filters.include_ancestor_groups) ways.push(onGroups('n.id', '=', anyOf(found.traversal_ids, 'bigint')));
  const groups = expressionBuilder<PlanningDatabase>()
    .selectFrom('namespaces as n')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .select('n.id')
    .where(onGroups.or(ways))
    .where(visibleGroupsCondition(ctx));
  return anyIn(arrayFrom(groups));
}

async function listed(ctx: Context, found: GroupRecord, filters: Input): Promise<EpicList> {
  const { order_by: by, sort, with_labels_details } = filters;
  const titles = [...getTitles(filters.labels), ...getTitles(filters.not?.labels)];
  const labelIds = await labelsOfFilters(ctx, titles, labelsOfGroups(found));
  const epics = epicsOfGroups(ctx, anyGroup(ctx, found, filters), conditions(ctx, filters, labelIds));
  const ordering = computed(by, sort);
  return {
    ...epics,
    ...(ordering ? { select: (query: MatchingQuery) => epics.select(query).select(ordering.as('ordering')) } : {}),
    order: [getStep(by, sort), byId('i', sort)],
    read: (row) => ({ ...row, reference_base: found.full_path }),
    with_labels_details,
  };
}

/** List the epics of a group, and of the groups around it (core-resources.md section 8). */
export const listEpics = operation({
  name: 'listEpics',
  summary: 'List the epics of a group',
  resource: group,
  can: can(groupEpicPolicy, 'read_epics'),
  plan: 'premium',
  authentication: 'open',
  kind: 'read',
  statements: 9,
  params: listParams,
  rules: [mutuallyExclusive('author_id', 'author_username')],
  run: listed,
});

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
import { labelsOfGroups } from './issuable-places.js';
import { labelsOfFilters } from '../issuables/labels-of-titles.js';
import type { LabelIds } from '../issuables/labels-of-titles.js';
import { labelTitles } from '../issuables/issue-values.js';

/** Beyond REST of the public API: the two days, as GraphQL offers them. */
const ORDERS = ['created_at', 'updated_at', 'title', 'start_date', 'due_date'] as const;
type Order = (typeof ORDERS)[number];
const IIDS = 1000;

/** What `not[…]` takes as well. */
const subjectParams = {
  labels: labelTitles().describe('Titles of labels that it has all of; `None` for no label, `Any` for some.'),
  author_id: optional(integer()).describe('Id of who made it.'),
  author_username: optional(text()).describe('User name of who made it.'),
  my_reaction_emoji: optional(text()).describe('Emoji that the caller gave it; `None` or `Any`.'),
};

const listParams = {
  ...subjectParams,
  iids: optional(list(integer(), { commas: true, max: IIDS })).describe('Only these numbers.'),
  state: optional(oneOf(['opened', 'closed', 'all'])).describe('Only open or only closed ones.'),
  search: optional(text()).describe('Words that all stand in title or description.'),
  confidential: optional(boolean()).describe('Only confidential ones, or only others.'),
  created_after: optional(instant()).describe('Made then or later.'),
  created_before: optional(instant()).describe('Made then or before.'),
  updated_after: optional(instant()).describe('Changed then or later.'),
  updated_before: optional(instant()).describe('Changed then or before.'),
  include_descendant_groups: withDefault(boolean(), true).describe('Also epics of the groups below it.'),
  include_ancestor_groups: withDefault(boolean(), false).describe('Also epics of the groups above it.'),
  order_by: withDefault(oneOf(ORDERS), 'created_at').describe('What the order goes by.'),
  sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Its direction.'),
  with_labels_details: withDefault(boolean(), false).describe('Show labels as records instead of titles.'),
  not: optional(object(subjectParams)).describe('The same filters, for what is left out.'),
};
type Input = z.output<z.ZodObject<typeof listParams>>;
type Shared = NonNullable<Input['not']>;

/** Titles as they were given, in an array or not: no title holds a comma. */
const titlesOf = (given: readonly string[] = []): string[] =>
  given
    .flatMap((one) => one.split(','))
    .map((title) => title.trim())
    .filter((title) => title !== '');

/** What both the filters and `not` say. */
function sharedConditions(ctx: Context, given: Shared, labelIds: LabelIds): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (given.author_id !== undefined) where.push(onEpics('i.author_id', '=', given.author_id));
  if (given.author_username) where.push(onEpics('i.author_id', '=', userIdOfName(given.author_username)));
  if (given.my_reaction_emoji && !ctx.caller.anonymous)
    where.push(reactedWith(ctx, awardableEpic, 'i', given.my_reaction_emoji));
  for (const title of titlesOf(given.labels)) {
    const word = title.toLowerCase();
    if (word === 'none') where.push(not(hasLabels(epicType)));
    else where.push(word === 'any' ? hasLabels(epicType) : hasLabel(epicType, labelIds.get(title) ?? []));
  }
  return where;
}

function conditions(ctx: Context, given: Input, labelIds: LabelIds): Expression<SqlBool>[] {
  const where = sharedConditions(ctx, given, labelIds);
  if (given.not) where.push(onEpics.and(sharedConditions(ctx, given.not, labelIds).map(not)));
  const iids = given.iids?.filter((iid) => Math.abs(iid) < 2 ** 31) ?? [];
  if (given.iids && given.iids.length > 0) where.push(onEpics('i.iid', '=', anyOf(iids, 'int')));
  if (given.state && given.state !== 'all') where.push(onEpics('i.state', '=', given.state));
  if (given.search) where.push(...searchConditions(given.search, SEARCHED));
  if (given.confidential !== undefined) where.push(onEpics('i.confidential', '=', constant(given.confidential)));
  if (given.created_after) where.push(onEpics('i.created_at', '>=', given.created_after));
  if (given.created_before) where.push(onEpics('i.created_at', '<=', given.created_before));
  if (given.updated_after) where.push(onEpics('i.updated_at', '>=', given.updated_after));
  if (given.updated_before) where.push(onEpics('i.updated_at', '<=', given.updated_before));
  return where;
}

type Step = OrderStep<ListedEpic>;

/** What is computed for an order; epics without a day come last. */
function computed(by: Order, direction: 'asc' | 'desc'): AliasableExpression<string> | null {
  if (by === 'title') return onEpics.fn<string>('lower', ['i.title']);
  const day = by === 'start_date' ? startOfEpic : by === 'due_date' ? endOfEpic : null;
  return day && orLastDay(day, direction);
}

function stepOf(by: Order, direction: 'asc' | 'desc'): Step {
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

/** A list of epics, and whether their labels are shown as records. */
export interface EpicList extends List<ListedEpic> {
  readonly with_labels_details: boolean;
}

/** Any of the ids of the groups whose epics are meant, of those that the caller may read. */
function anyGroup(ctx: Context, found: GroupRecord, given: Input): Expression<number> {
  const ways: Expression<SqlBool>[] = [onGroups('n.id', '=', found.id)];
  if (given.include_descendant_groups) ways.push(isAtOrBelow('n', found.id));
  if (given.include_ancestor_groups) ways.push(onGroups('n.id', '=', anyOf(found.traversal_ids, 'bigint')));
  const groups = expressionBuilder<PlanningDatabase>()
    .selectFrom('namespaces as n')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .select('n.id')
    .where(onGroups.or(ways))
    .where(visibleGroupsCondition(ctx));
  return anyIn(arrayFrom(groups));
}

async function listed(ctx: Context, found: GroupRecord, given: Input): Promise<EpicList> {
  const { order_by: by, sort, with_labels_details } = given;
  const titles = [...titlesOf(given.labels), ...titlesOf(given.not?.labels)];
  const labelIds = await labelsOfFilters(ctx, titles, labelsOfGroups(found));
  const epics = epicsOfGroups(ctx, anyGroup(ctx, found, given), conditions(ctx, given, labelIds));
  const ordering = computed(by, sort);
  return {
    ...epics,
    ...(ordering ? { select: (query: MatchingQuery) => epics.select(query).select(ordering.as('ordering')) } : {}),
    order: [stepOf(by, sort), byId('i', sort)],
    read: (row) => ({ ...row, seen_from: found.full_path }),
    with_labels_details,
  };
}

/** List the epics of a group, and of the groups around it (core-resources.md section 8). */
export const listEpics = operation({
  name: 'listEpics',
  summary: 'List the epics of a group',
  subject: group,
  can: can(groupEpicPolicy, 'read_epics'),
  plan: 'premium',
  gate: 'open',
  kind: 'read',
  statements: 9,
  params: listParams,
  rules: [mutuallyExclusive('author_id', 'author_username')],
  run: listed,
});

import type { z } from 'zod';
import type { Context } from '../../core/context.js';
import { boolean, instant, integer, list, object, oneOf, optional, text, withDefault } from '../../core/fields.js';
import type { TextList, OrderStep } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { can, operation } from '../../core/operation.js';
import { mutuallyExclusive } from '../../core/params.js';
import { and, or, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { group, visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import type { GroupRecord } from '../../tenancy/groups/group.record.js';
import { awardableEpic } from '../award-emoji/awardable.js';
import { reactedWith } from '../award-emoji/award-emoji.finder.js';
import { epicsOfGroups } from '../epics/epic.finder.js';
import { endOfEpic, startOfEpic } from '../epics/epic.loads.js';
import { groupEpicPolicy } from '../epics/epic.policy.js';
import type { ListedEpic } from '../epics/epic.record.js';
import { lastDay } from '../issuable-lists/issuable-order.js';
import { hasLabel, hasLabels, userIdOfName } from '../issuables/issuable-filters.js';
import { searchConditions, SEARCHED } from '../issuables/issuable-search.js';
import { epicType } from '../issuables/issuable-type.js';
import { labelsOfFilters } from '../issuables/labels-of-filters.js';
import type { LabelIds } from '../issuables/labels-of-filters.js';
import { labelTitles } from '../issue-edits/issue-values.js';

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

const not = (condition: Fragment): Fragment => sql`not coalesce(${condition}, false)`;

/** Titles as they were given, in an array or not: no title holds a comma. */
const titlesOf = (given: readonly string[] = []): string[] =>
  given
    .flatMap((one) => one.split(','))
    .map((title) => title.trim())
    .filter((title) => title !== '');

/** What both the filters and `not` say. */
function sharedConditions(ctx: Context, given: Shared, labelIds: LabelIds): Fragment[] {
  const where: Fragment[] = [];
  if (given.author_id !== undefined) where.push(sql`i.author_id = ${given.author_id}`);
  if (given.author_username) where.push(sql`i.author_id = ${userIdOfName(given.author_username)}`);
  if (given.my_reaction_emoji && !ctx.caller.anonymous)
    where.push(reactedWith(ctx, awardableEpic, 'i', given.my_reaction_emoji));
  for (const title of titlesOf(given.labels)) {
    const word = title.toLowerCase();
    if (word === 'none') where.push(not(hasLabels(epicType)));
    else where.push(word === 'any' ? hasLabels(epicType) : hasLabel(epicType, labelIds.get(title) ?? []));
  }
  return where;
}

function conditions(ctx: Context, given: Input, labelIds: LabelIds): Fragment[] {
  const where = sharedConditions(ctx, given, labelIds);
  if (given.not) where.push(and(sharedConditions(ctx, given.not, labelIds).map(not)));
  if (given.iids && given.iids.length > 0)
    where.push(sql`i.iid = any(${given.iids.filter((iid) => Math.abs(iid) < 2 ** 31)}::int[])`);
  if (given.state && given.state !== 'all') where.push(sql`i.state = ${given.state}`);
  if (given.search) where.push(...searchConditions(given.search, SEARCHED));
  if (given.confidential !== undefined) where.push(given.confidential ? sql`i.confidential` : sql`not i.confidential`);
  if (given.created_after) where.push(sql`i.created_at >= ${given.created_after}`);
  if (given.created_before) where.push(sql`i.created_at <= ${given.created_before}`);
  if (given.updated_after) where.push(sql`i.updated_at >= ${given.updated_after}`);
  if (given.updated_before) where.push(sql`i.updated_at <= ${given.updated_before}`);
  return where;
}

type Step = OrderStep<ListedEpic>;

/** What is computed for an order, as text; epics without a day come last. */
function computed(by: Order, direction: 'asc' | 'desc'): Fragment | null {
  if (by === 'title') return sql`lower(i.title)`;
  const day = by === 'start_date' ? startOfEpic : by === 'due_date' ? endOfEpic : null;
  return day && sql`coalesce(${day}, ${lastDay(direction)}::date)`;
}

function stepOf(by: Order, direction: 'asc' | 'desc'): Step {
  const expression = computed(by, direction);
  if (expression) return { key: 'ordering', expression, direction, type: 'text', value: (epic) => epic.ordering };
  const instant = by === 'created_at' ? 'created_at' : 'updated_at';
  return {
    key: instant,
    expression: raw(`i.${instant}`),
    direction,
    type: 'instant',
    value: (epic) => epic[instant],
  };
}

/** A list of epics, and whether their labels are shown as records. */
export interface EpicList extends TextList<ListedEpic> {
  readonly with_labels_details: boolean;
}

/** The groups whose epics are meant, of those that the caller may read, by their ids. */
function groupsOf(ctx: Context, found: GroupRecord, given: Input): Fragment {
  const ways = [sql`n.id = ${found.id}`];
  if (given.include_descendant_groups) ways.push(sql`n.traversal_ids @> array[${found.id}]::bigint[]`);
  if (given.include_ancestor_groups) ways.push(sql`n.id = any(${found.traversal_ids}::bigint[])`);
  return sql`array(
    select n.id from namespaces n join group_settings gs on gs.namespace_id = n.id
     where (${or(ways)}) and ${visibleGroupsCondition(ctx)})`;
}

async function listed(ctx: Context, found: GroupRecord, given: Input): Promise<EpicList> {
  const { order_by: by, sort, with_labels_details } = given;
  const titles = [...titlesOf(given.labels), ...titlesOf(given.not?.labels)];
  const below = sql`array(select d.id from namespaces d where d.traversal_ids @> array[${found.id}]::bigint[])`;
  const among = sql`(l.namespace_id = any(${found.traversal_ids}::bigint[]) or l.namespace_id = any(${below}))`;
  const labelIds = await labelsOfFilters(ctx, titles, among);
  const epics = epicsOfGroups(ctx, groupsOf(ctx, found, given), conditions(ctx, given, labelIds));
  const ordering = computed(by, sort);
  return {
    ...epics,
    ...(ordering ? { select: sql`${epics.select}, ${ordering} as "ordering"` } : {}),
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

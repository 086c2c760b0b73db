import { oneOf, withDefault } from '../../core/fields.js';
import { byId } from '../../core/list.js';
import type { List, OrderStep } from '../../core/list.js';
import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import type { ListedIssue } from '../issues/issue.record.js';
import { GAP, positionOf } from '../issues/relative-position.js';

type Direction = 'asc' | 'desc';
type Step = OrderStep<ListedIssue>;

const ORDERS = [
  'created_at',
  'updated_at',
  'due_date',
  'label_priority',
  'milestone_due',
  'popularity',
  'priority',
  'relative_position',
  'title',
  'weight',
] as const;

/** Orders that GraphQL alone offers. */
const MORE_ORDERS = ['blocking_issues_count', 'closed_at', 'severity'] as const;

/** All orders. */
export const ISSUE_SORTS = [...ORDERS, ...MORE_ORDERS] as const;
type Order = (typeof ISSUE_SORTS)[number];

/** How lists of issues are ordered (core-resources.md section 6). */
export const issueOrderParams = {
  order_by: withDefault(oneOf(ORDERS), 'created_at').describe('What the order goes by.'),
  sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Its direction.'),
};

/** How searches are ordered: as GraphQL offers it. */
export const searchOrderParams = {
  ...issueOrderParams,
  order_by: withDefault(oneOf(ISSUE_SORTS), 'created_at').describe('What the order goes by.'),
};

/** What has no value comes last in both directions. */
const lastDay = (direction: Direction) => (direction === 'asc' ? 'infinity' : '-infinity');
const lastNumber = (direction: Direction) => (direction === 'asc' ? 2 ** 31 - 1 : -1);

/** Before and after every time that there is. */
const lastInstant = (direction: Direction) =>
  direction === 'asc' ? '9999-12-31T00:00:00.000Z' : '0001-01-01T00:00:00.000Z';

/** The least bad first. */
const SEVERITIES = ['unknown', 'low', 'medium', 'high', 'critical'];
const severityRank: Sql = sql`array_position(${SEVERITIES}::text[], i.severity) - 1`;

/** Open issues that it blocks. */
const blockingCount: Sql = sql`(
  select count(*) from issue_links l join issues blocked on blocked.id = l.target_id
   where l.source_id = i.id and l.link_type = 'blocks' and blocked.state = 'opened')`;

const milestoneDue = (direction: Direction): Sql => sql`coalesce(
  (select m.due_date from milestones m where m.id = i.milestone_id), ${lastDay(direction)}::date)`;

/** The priority of the most important label, 0 first. */
const labelPriority = (direction: Direction): Sql => sql`coalesce(
  (select min(lp.priority) from issue_labels il
     join label_priorities lp on lp.label_id = il.label_id and lp.project_id = i.project_id
    where il.issue_id = i.id), ${lastNumber(direction)}::int)`;

const step = (key: string, expression: Sql, direction: Direction, type: Step['type'], value: Step['value']): Step => ({
  key,
  expression,
  direction,
  type,
  value,
});

const steps: Record<Order, (direction: Direction) => Step[]> = {
  created_at: (to) => [step('created_at', sql`i.created_at`, to, 'instant', (issue) => issue.created_at)],
  updated_at: (to) => [step('updated_at', sql`i.updated_at`, to, 'instant', (issue) => issue.updated_at)],
  due_date: (to) => [
    step(
      'due_date',
      sql`coalesce(i.due_date, ${lastDay(to)}::date)`,
      to,
      'text',
      (issue) => issue.due_date ?? lastDay(to),
    ),
  ],
  weight: (to) => [
    step(
      'weight',
      sql`coalesce(i.weight, ${lastNumber(to)}::int)`,
      to,
      'integer',
      (issue) => issue.weight ?? lastNumber(to),
    ),
  ],
  title: (to) => [step('ordering', sql`lower(i.title)`, to, 'text', (issue) => issue.ordering)],
  popularity: (to) => [step('upvotes', sql`i.upvotes`, to, 'integer', (issue) => issue.upvotes)],
  relative_position: (to) => [
    step('position', positionOf('i'), to, 'integer', (issue) => issue.relative_position ?? issue.id * GAP),
  ],
  closed_at: (to) => [
    step(
      'closed_at',
      sql`coalesce(i.closed_at, ${lastInstant(to)}::timestamptz)`,
      to,
      'instant',
      (issue) => issue.closed_at ?? new Date(lastInstant(to)),
    ),
  ],
  severity: (to) => [step('severity', severityRank, to, 'integer', (issue) => SEVERITIES.indexOf(issue.severity))],
  blocking_issues_count: (to) => [step('ordering', blockingCount, to, 'integer', (issue) => issue.ordering)],
  milestone_due: (to) => [step('ordering', milestoneDue(to), to, 'text', (issue) => issue.ordering)],
  label_priority: (to) => [step('label_priority', labelPriority(to), to, 'integer', (issue) => issue.label_priority)],
  priority: (to) => [
    step('ordering', milestoneDue(to), to, 'text', (issue) => issue.ordering),
    step('label_priority', labelPriority(to), to, 'integer', (issue) => issue.label_priority),
  ],
};

/** What a list selects beside the records to tell a place in it. */
const BESIDE: Readonly<Record<string, Sql>> = { ordering: sql`"ordering"`, label_priority: sql`"label_priority"` };

/** A list of issues, and whether their labels are shown as records. */
export interface AskedList extends List<ListedIssue> {
  readonly with_labels_details: boolean;
}

interface Asked {
  readonly order_by: Order;
  readonly sort: Direction;
  readonly with_labels_details?: boolean;
}

/** A list of issues in one of the orders; ids decide between equals. */
export function asAsked(
  list: List<ListedIssue>,
  { order_by: by, sort, with_labels_details = false }: Asked,
): AskedList {
  const chosen = steps[by](sort);
  const select = chosen.reduce((all, { key, expression }) => {
    const name = BESIDE[key];
    return name ? sql`${all}, ${expression} as ${name}` : all;
  }, list.select);
  return { ...list, select, order: [...chosen, byId('i', sort)], with_labels_details };
}

import type { Context } from '../../core/context/context.js';
import { arrayPosition } from '../../core/database/expressions.js';
import { oneOf, withDefault } from '../../core/operations/fields.js';
import type { List, OrderStep } from '../../core/database/list.js';
import {
  asOrdered,
  commonOrders,
  lastDay,
  lastInstant,
  lastNumber,
  orLastDay,
  orLastInstant,
  orLastNumber,
  step,
} from './issuable-order.js';
import type { Direction } from './issuable-order.js';
import { issueType } from '../issuables/issuable-type.js';
import { blockingCount } from '../issues/issue.loads.js';
import { onIssues } from '../issues/visible-issues.js';
import type { ListedIssue } from '../issues/issue.entity.js';
import { GAP, selectPosition } from '../issuables/move-among-siblings.js';

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
  order_by: withDefault(oneOf(ORDERS), 'created_at').describe('Field to sort the issues by.'),
  sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the sort order.'),
};

/** How searches are ordered: as GraphQL offers it. */
export const searchOrderParams = {
  ...issueOrderParams,
  order_by: withDefault(oneOf(ISSUE_SORTS), 'created_at').describe('Field to sort the issues by.'),
};

/** The least bad first. */
const SEVERITIES = ['unknown', 'low', 'medium', 'high', 'critical'];
const severityRank = onIssues(arrayPosition(SEVERITIES, 'text', onIssues.ref('i.severity')), '-', onIssues.lit(1));

const steps: Record<Order, (direction: Direction, ctx: Context) => Step[]> = {
  ...commonOrders<ListedIssue>(issueType),
  due_date: (to) => [
    step('due_date', orLastDay(onIssues.ref('i.due_date'), to), to, 'text', (issue) => issue.due_date ?? lastDay(to)),
  ],
  weight: (to) => [
    step(
      'weight',
      orLastNumber(onIssues.ref('i.weight'), to),
      to,
      'integer',
      (issue) => issue.weight ?? lastNumber(to),
    ),
  ],
  relative_position: (to) => [
    step('position', selectPosition('i'), to, 'integer', (issue) => issue.relative_position ?? issue.id * GAP),
  ],
  closed_at: (to) => [
    step(
      'closed_at',
      orLastInstant(onIssues.ref('i.closed_at'), to),
      to,
      'instant',
      (issue) => issue.closed_at ?? new Date(lastInstant(to)),
    ),
  ],
  severity: (to) => [step('severity', severityRank, to, 'integer', (issue) => SEVERITIES.indexOf(issue.severity))],
  blocking_issues_count: (to, ctx) => [step('ordering', blockingCount(ctx), to, 'integer', (issue) => issue.ordering)],
};

/** A list of issues, with a flag for whether labels are rendered as objects. */
export interface OrderedIssues extends List<ListedIssue> {
  readonly with_labels_details: boolean;
}

interface OrderInput {
  readonly order_by: Order;
  readonly sort: Direction;
  readonly with_labels_details?: boolean;
}

/** A list of issues in one of the orders; ids decide between equals. */
export function orderIssues(
  ctx: Context,
  list: List<ListedIssue>,
  { order_by: by, sort, with_labels_details = false }: OrderInput,
): OrderedIssues {
  return { ...asOrdered(list, steps[by](sort, ctx), sort), with_labels_details };
}

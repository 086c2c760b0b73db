import { oneOf, withDefault } from '../../core/operations/fields.js';
import type { List, OrderStep } from '../../core/database/list.js';
import { commonOrders, lastInstant, asOrdered, step } from '../../planning/issue-lists/issuable-order.js';
import type { Direction } from '../../planning/issue-lists/issuable-order.js';
import { mergeRequestType } from '../../planning/issuables/issuable-type.js';
import type { ListedMergeRequest } from './merge-request.entity.js';
import { onMergeRequests } from './visible-merge-requests.js';

/** What lists of merge requests go by. */
export const MERGE_REQUEST_ORDERS = [
  'created_at',
  'updated_at',
  'merged_at',
  'label_priority',
  'milestone_due',
  'popularity',
  'priority',
  'title',
] as const;

type Order = (typeof MERGE_REQUEST_ORDERS)[number];

/** How lists of merge requests are ordered (core-resources.md section 7). */
export const mergeRequestOrderParams = {
  order_by: withDefault(oneOf(MERGE_REQUEST_ORDERS), 'created_at').describe('Field to order by.'),
  sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the order.'),
};

/** What has no time comes last. */
const byMerge = (to: Direction) => {
  const last = lastInstant(to);
  return step<ListedMergeRequest>(
    'merged_at',
    onMergeRequests.fn.coalesce('i.merged_at', onMergeRequests.cast<Date>(onMergeRequests.val(last), 'timestamptz')),
    to,
    'instant',
    (request) => request.merged_at ?? new Date(last),
  );
};

const steps: Record<Order, (direction: Direction) => OrderStep<ListedMergeRequest>[]> = {
  ...commonOrders<ListedMergeRequest>(mergeRequestType),
  merged_at: (to) => [byMerge(to)],
};

interface OrderInput {
  readonly order_by: Order;
  readonly sort: Direction;
  readonly with_labels_details?: boolean;
  readonly view?: 'simple' | undefined;
}

/** A list of merge requests, with its level of detail. */
export interface MergeRequestList extends List<ListedMergeRequest> {
  readonly with_labels_details: boolean;
  readonly simple: boolean;
}

/** A list of merge requests in one of the orders. */
export const orderMergeRequests = (
  list: List<ListedMergeRequest>,
  { order_by: by, sort, with_labels_details = false, view }: OrderInput,
): MergeRequestList => ({
  ...asOrdered(list, steps[by](sort), sort),
  with_labels_details,
  simple: view === 'simple',
});

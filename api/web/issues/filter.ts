/** What the list can be narrowed by, as parameters of the address and of the API alike. */
export const FILTERS = ['search', 'labels', 'author_username', 'assignee_username', 'milestone'] as const;

export type FilterName = (typeof FILTERS)[number];

export const STATES = ['opened', 'closed', 'all'] as const;
export type IssueState = (typeof STATES)[number];

/** Orders by what they are called, the first unless told. */
export const ORDERS = {
  'created_at-desc': 'Newest first',
  'created_at-asc': 'Oldest first',
  'updated_at-desc': 'Last changed first',
  'updated_at-asc': 'Last changed last',
  'due_date-asc': 'Due first',
  'milestone_due-asc': 'Milestone due first',
  'label_priority-asc': 'Label priority',
  'popularity-desc': 'Most liked first',
  'weight-desc': 'Heaviest first',
  'weight-asc': 'Lightest first',
  'title-asc': 'Title',
} as const;

export type Order = keyof typeof ORDERS;

export interface AskedIssues {
  filter: Partial<Record<FilterName, string>>;
  state: IssueState;
  order: Order;
  /** From 1 on. */
  page: number;
}

const isOrder = (name: string): name is Order => Object.hasOwn(ORDERS, name);

/** The list that an address asks for; what it says wrongly is as if it was not said. */
export function askedIn(search: URLSearchParams): AskedIssues {
  const given = FILTERS.map((name) => [name, search.get(name) ?? ''] as const);
  const order = `${search.get('order_by') ?? ''}-${search.get('sort') ?? 'desc'}`;
  return {
    filter: Object.fromEntries(given.filter(([, value]) => value !== '')),
    state: STATES.find((state) => state === search.get('state')) ?? 'opened',
    order: isOrder(order) ? order : 'created_at-desc',
    page: Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1),
  };
}

/** The parameters of an order, in the address and of the API. */
export function orderParams(order: Order) {
  const [by, sort] = order.split('-') as ['created_at', 'asc' | 'desc'];
  return { order_by: by, sort };
}

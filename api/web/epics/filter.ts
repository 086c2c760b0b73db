import type { ListParams } from '../ui/list-address.js';

/** What the list can be narrowed by, as parameters of the address and of the API alike. */
const FILTERS = ['search', 'labels', 'author_username'] as const;

export const STATES = ['opened', 'closed', 'all'] as const;
export type EpicState = (typeof STATES)[number];

/** Orders by what they are called, the first unless told. */
export const ORDERS = {
  'created_at-desc': 'Newest first',
  'created_at-asc': 'Oldest first',
  'updated_at-desc': 'Last changed first',
  'updated_at-asc': 'Last changed last',
  'start_date-asc': 'Begins first',
  'due_date-asc': 'Due first',
  'title-asc': 'Title',
} as const;

/** What addresses of the list can say. */
export const LIST_OPTIONS = { filters: FILTERS, states: STATES, orders: ORDERS };

export type EpicListParams = ListParams<(typeof FILTERS)[number], EpicState, keyof typeof ORDERS>;

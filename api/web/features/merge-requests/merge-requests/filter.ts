import type { ListParams } from '../../../app/routing/list-address.js';

/** The filters of the list; their names are parameters of both the address and the API. */
const FILTERS = [
  'search',
  'labels',
  'author_username',
  'assignee_username',
  'reviewer_username',
  'milestone',
  'source_branch',
  'target_branch',
] as const;

export const STATES = ['opened', 'merged', 'closed', 'all'] as const;
export type RequestState = (typeof STATES)[number];

/** Orders with their labels; the first is the default. */
export const ORDERS = {
  'created_at-desc': 'Newest first',
  'created_at-asc': 'Oldest first',
  'updated_at-desc': 'Recently updated',
  'updated_at-asc': 'Least recently updated',
  'merged_at-desc': 'Recently merged',
  'milestone_due-asc': 'Milestone due date',
  'label_priority-asc': 'Label priority',
  'popularity-desc': 'Popularity',
  'title-asc': 'Title',
} as const;

/** What addresses of the list can say. */
export const LIST_OPTIONS = { filters: FILTERS, states: STATES, orders: ORDERS };

export type MergeRequestListParams = ListParams<(typeof FILTERS)[number], RequestState, keyof typeof ORDERS>;

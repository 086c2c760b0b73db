import type { FilterField } from './ListFilter.js';

/** Fields by which lists of all that is planned are narrowed alike: words, labels and author. */
export const planningFilters = (labels: readonly { title: string }[] | undefined): FilterField[] => [
  { name: 'search', label: 'Words in title or description', type: 'search' },
  { name: 'labels', label: 'Labels', hint: 'All of these, by commas; None, Any', titles: labels ?? [] },
  { name: 'author_username', label: 'Author', hint: 'User name' },
];

/** What a list of jobs can be narrowed by, as parameters of the address and of the API alike. */
export const FILTERS = ['error', 'search', 'user', 'project', 'created_after', 'created_before'] as const;

export type FilterName = (typeof FILTERS)[number];

export type Filter = Partial<Record<FilterName, string>>;

/** The filter that an address holds. */
export function filterIn(search: URLSearchParams): Filter {
  const entries = FILTERS.map((name) => [name, search.get(name) ?? ''] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

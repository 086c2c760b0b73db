/** Filters of a list of schedules, as stored in the address. */
export interface ScheduleFilters {
  search?: string;
  owner?: string;
  state: 'all' | 'active' | 'inactive';
  last: '' | LastRun;
}

export const LAST_RUNS = ['failed', 'missed', 'skipped', 'fired', 'pending'] as const;
export type LastRun = (typeof LAST_RUNS)[number];

const STATES = ['all', 'active', 'inactive'] as const;

/** Reads the filters from an address; invalid values count as missing. */
export function readFilters(search: URLSearchParams): ScheduleFilters {
  const searchTerm = search.get('search') ?? '';
  const owner = search.get('owner') ?? '';
  return {
    ...(searchTerm === '' ? {} : { search: searchTerm }),
    ...(owner === '' ? {} : { owner }),
    state: STATES.find((state) => state === search.get('state')) ?? 'all',
    last: LAST_RUNS.find((state) => state === search.get('last')) ?? '',
  };
}

/** The address of the same list under other filters. */
export function getAddress({ search, owner, state, last }: ScheduleFilters): string {
  const params = new URLSearchParams({
    ...(search ? { search } : {}),
    ...(owner ? { owner } : {}),
    ...(state === 'all' ? {} : { state }),
    ...(last === '' ? {} : { last }),
  });
  return `?${params}`;
}

import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, unwrapKeysetPage, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { JOBS } from './queue-queries.js';
import type { JobAction, JobState } from './labels.js';

/** The filters of a list of jobs; their names are parameters of both the address and the API. */
export const FILTERS = ['error', 'search', 'user', 'project', 'created_after', 'created_before'] as const;

export type FilterName = (typeof FILTERS)[number];

export type Filter = Partial<Record<FilterName, string>>;

/** The filter that an address holds. */
export function filterIn(search: URLSearchParams): Filter {
  const entries = FILTERS.map((name) => [name, search.get(name) ?? ''] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

const PER_PAGE = 50;

/** The filters of the requested jobs. */
export interface JobFilters extends Filter {
  queue?: string;
  state: JobState;
}

/** Jobs in one state, newest first, a page from a cursor on; the first with an empty one. */
export const jobsQuery = ({ state, ...filters }: JobFilters, cursor: string) =>
  queryOptions({
    queryKey: [JOBS, 'list', state, filters, cursor],
    queryFn: () =>
      unwrapKeysetPage(
        api.GET('/admin/jobs', {
          params: {
            query: {
              ...filters,
              'state[]': [state],
              pagination: 'keyset',
              per_page: PER_PAGE,
              ...(cursor && { cursor }),
            },
          },
        }),
        PER_PAGE,
      ),
  });

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: [JOBS, 'job', id],
    queryFn: () => unwrap(api.GET('/admin/jobs/{id}', { params: { path: { id } } })),
  });

const ACTIONS = {
  retry: (id: string) => unwrap(api.POST('/admin/jobs/{id}/retry', { params: { path: { id } } })),
  cancel: (id: string) => unwrap(api.POST('/admin/jobs/{id}/cancel', { params: { path: { id } } })),
  resume: (id: string) => unwrap(api.POST('/admin/jobs/{id}/resume', { params: { path: { id } } })),
  delete: (id: string) => unwrap(api.DELETE('/admin/jobs/{id}', { params: { path: { id } } })),
} satisfies Record<JobAction, (id: string) => Promise<unknown>>;

/**
 * Performs an action on one job, and then refetches all queries about jobs, except that of a deleted job.
 * @param onDone called before the refetch
 */
export function useJobAction(id: string, onDone: (action: JobAction) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: JobAction) => ACTIONS[action](id) as Promise<unknown>,
    onSuccess: (_answer, action) => {
      onDone(action);
      const isStale = ([area, what]: readonly unknown[]) => area === JOBS && (action !== 'delete' || what !== 'job');
      return queries.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey) });
    },
  });
}

/** What was done to queues and jobs, newest first, as the audit log has it. */
export const actionsQuery = (cursor: string) =>
  queryOptions({
    queryKey: [JOBS, 'log', cursor],
    queryFn: () =>
      unwrapKeysetPage(
        api.GET('/admin/jobs/actions', {
          params: { query: { pagination: 'keyset', per_page: PER_PAGE, ...(cursor && { cursor }) } },
        }),
        PER_PAGE,
      ),
  });

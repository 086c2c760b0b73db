import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import type { JobFilters } from './job-queries.js';
import { JOBS, useAction } from './queue-queries.js';

export type BulkAction = 'retry' | 'cancel' | 'delete';

/** How often work that goes on by itself is asked how far it came. */
const PROGRESS_MS = 1_000;

/** How many jobs match what was asked for. */
export const matchingQuery = ({ state, ...filters }: JobFilters) =>
  queryOptions({
    queryKey: [JOBS, 'count', state, filters],
    queryFn: () => unwrap(api.GET('/admin/jobs/count', { params: { query: { ...filters, 'state[]': [state] } } })),
  });

/** Jobs by id, or all that match, of which the person saw so many. */
export type BulkTarget = { ids: string[] } | { filters: JobFilters; expected: number };

/** Does one thing to many jobs; more than 500 are left to a job, of which the answer has the id. */
export const useBulk = () =>
  useAction(({ action, target }: { action: BulkAction; target: BulkTarget }) => {
    if ('ids' in target) return unwrap(api.POST('/admin/jobs/bulk', { body: { action, ids: target.ids } }));
    const { state, ...filter } = target.filters;
    return unwrap(
      api.POST('/admin/jobs/bulk', {
        body: { action, filter: { ...filter, state: [state] }, expected_count: target.expected },
      }),
    );
  });

/** Ends such a job early; what it did by then stays done. */
export const useBulkCancel = (id: number) =>
  useAction(() => unwrap(api.POST('/admin/jobs/bulk/{bulk_id}/cancel', { params: { path: { bulk_id: id } } })));

/** How far such a job came, asked again until it is done. */
export const bulkQuery = (id: number) =>
  queryOptions({
    queryKey: [JOBS, 'bulk', id],
    queryFn: () => unwrap(api.GET('/admin/jobs/bulk/{bulk_id}', { params: { path: { bulk_id: id } } })),
    refetchInterval: ({ state: { data, error } }) => (data?.completed || error ? false : PROGRESS_MS),
  });

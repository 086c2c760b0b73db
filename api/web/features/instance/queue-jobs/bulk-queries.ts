import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import type { JobFilters } from './job-queries.js';
import { JOBS, useAction } from './queue-queries.js';

export type BulkAction = 'retry' | 'cancel' | 'delete';

/** The polling interval for the progress of background work. */
const PROGRESS_MS = 1_000;

/** The number of jobs that match the filters. */
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

/** The progress of such an action, polled until it is complete. */
export const bulkQuery = (id: number) =>
  queryOptions({
    queryKey: [JOBS, 'bulk', id],
    queryFn: () => unwrap(api.GET('/admin/jobs/bulk/{bulk_id}', { params: { path: { bulk_id: id } } })),
    refetchInterval: ({ state: { data, error } }) => (data?.completed || error ? false : PROGRESS_MS),
  });

import { queryOptions } from '@tanstack/react-query';
import { api, taken } from '../client/api.js';

/** All queries about jobs begin with it: after an action all of them are asked again. */
export const JOBS = 'queue-jobs';

/** How far back small charts look, and how often they are asked for: a point is a minute. */
const SERIES_MS = 3_600_000;
const SERIES_EVERY_MS = 60_000;

export const queuesQuery = queryOptions({
  queryKey: [JOBS, 'queues'],
  queryFn: () => taken(api.GET('/admin/jobs/queues')),
});

/** Counts over all queues. */
export const overviewQuery = queryOptions({
  queryKey: [JOBS, 'overview'],
  queryFn: () => taken(api.GET('/admin/jobs/stats')),
});

export const queueQuery = (queue: string) =>
  queryOptions({
    queryKey: [JOBS, 'queue', queue],
    queryFn: () => taken(api.GET('/admin/jobs/queues/{queue}', { params: { path: { queue } } })),
  });

/** The last hour of a queue, by minutes. */
export const seriesQuery = (queue: string) =>
  queryOptions({
    queryKey: [JOBS, 'series', queue],
    queryFn: () =>
      taken(
        api.GET('/admin/jobs/queues/{queue}/stats', {
          params: {
            path: { queue },
            query: { from: new Date(Date.now() - SERIES_MS).toISOString(), resolution: 'minute' },
          },
        }),
      ),
    staleTime: SERIES_EVERY_MS,
    refetchInterval: SERIES_EVERY_MS,
  });

export const processesQuery = queryOptions({
  queryKey: [JOBS, 'processes'],
  queryFn: () => taken(api.GET('/admin/jobs/processes')),
});

export const recurringQuery = queryOptions({
  queryKey: [JOBS, 'recurring'],
  queryFn: () => taken(api.GET('/admin/jobs/schedules')),
});

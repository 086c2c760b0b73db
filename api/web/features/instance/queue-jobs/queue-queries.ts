import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import type { QueueSchedule } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';

/** All queries about jobs begin with it: after an action all of them are asked again. */
export const JOBS = 'queue-jobs';

/** How often small charts are asked for: a point is a minute. */
const SERIES_EVERY_MS = 60_000;

export const queuesQuery = queryOptions({
  queryKey: [JOBS, 'queues'],
  queryFn: () => unwrap(api.GET('/admin/jobs/queues')),
});

/** Counts over all queues. */
export const overviewQuery = queryOptions({
  queryKey: [JOBS, 'overview'],
  queryFn: () => unwrap(api.GET('/admin/jobs/stats')),
});

export const queueQuery = (queue: string) =>
  queryOptions({
    queryKey: [JOBS, 'queue', queue],
    queryFn: () => unwrap(api.GET('/admin/jobs/queues/{queue}', { params: { path: { queue } } })),
  });

/** What queues did in the last hour, by minutes; one that did nothing is left out. */
export const seriesQuery = queryOptions({
  queryKey: [JOBS, 'series'],
  queryFn: () => unwrap(api.GET('/admin/jobs/series')),
  staleTime: SERIES_EVERY_MS,
  refetchInterval: SERIES_EVERY_MS,
});

export const processesQuery = queryOptions({
  queryKey: [JOBS, 'processes'],
  queryFn: () => unwrap(api.GET('/admin/jobs/processes')),
});

export const recurringQuery = queryOptions({
  queryKey: [JOBS, 'recurring'],
  queryFn: () => unwrap(api.GET('/admin/jobs/schedules')),
});

/** An action, after which everything about jobs is asked for again. */
export function useAction<In, Out>(act: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: () => queries.invalidateQueries({ queryKey: [JOBS] }) });
}

/** Pauses a queue, or has it go on. */
export const useQueueControl = (queue: string) =>
  useAction(({ pause, reason }: { pause: boolean; reason: string }) => {
    const request = { params: { path: { queue } }, body: reason === '' ? {} : { reason } };
    return pause
      ? unwrap(api.POST('/admin/jobs/queues/{queue}/pause', request))
      : unwrap(api.POST('/admin/jobs/queues/{queue}/resume', request));
  });

/** Sends a recurring job now, beside its times. */
export const useRunNow = () =>
  useAction(({ name, key }: QueueSchedule) =>
    unwrap(api.POST('/admin/jobs/schedules/{name}/{key}/run', { params: { path: { name, key } } })),
  );

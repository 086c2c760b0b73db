import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import type { QueueSchedule } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';

/** Prefix of all query keys about jobs: after an action all of them are refetched. */
export const JOBS = 'queue-jobs';

/** Refetch interval of the small charts: each point covers one minute. */
const SERIES_REFETCH_MS = 60_000;

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

/** Activity of each queue in the last hour, by minute; queues without any are left out. */
export const seriesQuery = queryOptions({
  queryKey: [JOBS, 'series'],
  queryFn: () => unwrap(api.GET('/admin/jobs/series')),
  staleTime: SERIES_REFETCH_MS,
  refetchInterval: SERIES_REFETCH_MS,
});

export const processesQuery = queryOptions({
  queryKey: [JOBS, 'processes'],
  queryFn: () => unwrap(api.GET('/admin/jobs/processes')),
});

export const recurringQuery = queryOptions({
  queryKey: [JOBS, 'recurring'],
  queryFn: () => unwrap(api.GET('/admin/jobs/schedules')),
});

/** An action, after which all queries about jobs are refetched. */
export function useAction<In, Out>(action: (variables: In) => Promise<Out>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: action, onSuccess: () => queryClient.invalidateQueries({ queryKey: [JOBS] }) });
}

/** Pauses or resumes a queue. */
export const useQueueControl = (queue: string) =>
  useAction(({ pause, reason }: { pause: boolean; reason: string }) => {
    const request = { params: { path: { queue } }, body: reason === '' ? {} : { reason } };
    return pause
      ? unwrap(api.POST('/admin/jobs/queues/{queue}/pause', request))
      : unwrap(api.POST('/admin/jobs/queues/{queue}/resume', request));
  });

/** Runs a recurring job now, outside its schedule. */
export const useRunNow = () =>
  useAction(({ name, key }: QueueSchedule) =>
    unwrap(api.POST('/admin/jobs/schedules/{name}/{key}/run', { params: { path: { name, key } } })),
  );

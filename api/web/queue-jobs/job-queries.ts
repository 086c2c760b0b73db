import { queryOptions } from '@tanstack/react-query';
import { api, keysetPageTaken, taken } from '../client/api.js';
import type { Filter } from './filter.js';
import { JOBS } from './queue-queries.js';
import type { JobState } from './words.js';

const PER_PAGE = 50;

/** What jobs are asked for. */
export interface AskedJobs extends Filter {
  queue?: string;
  state: JobState;
}

/** Jobs in one state, newest first, a page from a cursor on; the first with an empty one. */
export const jobsQuery = ({ state, ...asked }: AskedJobs, cursor: string) =>
  queryOptions({
    queryKey: [JOBS, 'list', state, asked, cursor],
    queryFn: () =>
      keysetPageTaken(
        api.GET('/admin/jobs', {
          params: {
            query: {
              ...asked,
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
    queryFn: () => taken(api.GET('/admin/jobs/{id}', { params: { path: { id } } })),
  });

/** What was done to queues and jobs, newest first, from the audit log of the instance. */
export const actionsQuery = (cursor: string) =>
  queryOptions({
    queryKey: [JOBS, 'log', cursor],
    queryFn: () =>
      keysetPageTaken(
        api.GET('/audit_events', {
          params: {
            query: { entity_type: 'Instance', pagination: 'keyset', per_page: PER_PAGE, ...(cursor && { cursor }) },
          },
        }),
        PER_PAGE,
      ),
  });

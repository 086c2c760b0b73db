import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../client/api.js';
import { SCHEDULES } from './queries.js';

const PER_PAGE = 10;

/** The newest changes of a schedule that the caller may see, with who made them. */
export const changesQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: [SCHEDULES, 'log', path, id],
    queryFn: () =>
      unwrap(
        api.GET('/projects/{id}/audit_events', {
          params: { path: { id: path }, query: { target_type: 'PipelineSchedule', target_id: id, per_page: PER_PAGE } },
        }),
      ),
    // A refusal stays one.
    retry: false,
  });

import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import type { Project, Schedule } from '../../../data/api.js';

/** Projects that home shows. */
const PROJECTS = 8;
/** Schedules per section of the home page; one more is requested, to detect whether there are more. */
export const SCHEDULES = 10;

/** Queries that are refetched when schedules change. */
export const LIVE_QUERIES = {
  pipeline_schedules: [
    ['home', 'failures'],
    ['home', 'upcoming'],
  ],
} as const;

export const projectsQuery = queryOptions({
  queryKey: ['home', 'projects'],
  queryFn: () =>
    unwrap(
      api.GET('/projects', {
        params: { query: { membership: true, order_by: 'last_activity_at', per_page: PROJECTS } },
      }),
    ) as Promise<Project[]>,
});

/** Schedules that are loaded to find those due within the hour. */
export const WITHIN_HOUR = 100;

const page = (query: object, count = SCHEDULES + 1): Promise<Schedule[]> =>
  unwrap(
    api.GET('/pipeline_schedules', {
      params: { query: { membership: true, pagination: 'keyset', per_page: count, ...query } },
    }),
  );

/** What did not run as it should, or will not, in all projects of the person. */
export const failuresQuery = queryOptions({
  queryKey: ['home', 'failures'],
  queryFn: () => page({ attention: true }),
});

/** What runs next, in all projects of the person. */
export const upcomingQuery = queryOptions({
  queryKey: ['home', 'upcoming'],
  queryFn: () => page({ active: true, coming_minutes: 60 }, WITHIN_HOUR),
});

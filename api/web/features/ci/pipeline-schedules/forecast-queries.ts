import type { ScheduleScope } from '../../../app/routing/paths.js';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrapKeysetPage, unwrap } from '../../../data/api.js';
import { SCHEDULES, getScope } from './queries.js';
import type { MissedPolicy } from './labels.js';

export type ForecastSchedule = Schemas['ForecastPipelineSchedule'];

const PER_PAGE = 50;
/** The days that it is about go on, whatever changes. */
const EVERY_MS = 600_000;

/** A time in which the service would be down. */
export interface Down {
  from: string;
  to: string;
}

/** Runs per hour of the next seven days, and the effect of an outage. */
export const forecastQuery = (of: ScheduleScope, down: Down | null) =>
  queryOptions({
    queryKey: [SCHEDULES, 'forecast', of, down],
    queryFn: () =>
      unwrap(
        api.GET('/pipeline_schedules/forecast', {
          params: { query: { ...getScope(of), ...(down ? { down_from: down.from, down_to: down.to } : {}) } },
        }),
      ),
    refetchInterval: EVERY_MS,
  });

export type Forecast = Awaited<ReturnType<NonNullable<ReturnType<typeof forecastQuery>['queryFn']>>>;

interface Within {
  from: string;
  to: string;
  policy?: MissedPolicy;
}

/** Schedules that are moved to other times at once. */
export const FIRING_AT_MOST = 1000;
const LARGE_PAGE = 100;

const firingPage = (of: ScheduleScope, { from, to, policy }: Within, perPage: number, cursor: string | null) =>
  unwrapKeysetPage(
    api.GET('/pipeline_schedules/forecast/schedules', {
      params: {
        query: {
          ...getScope(of),
          from,
          to,
          ...(policy === undefined ? {} : { missed_policy: policy }),
          pagination: 'keyset',
          per_page: perPage,
          ...(cursor === null ? {} : { cursor }),
        },
      },
    }),
    perPage,
  );

/** All schedules that fire within a time range, up to {@link FIRING_AT_MOST}: a snapshot that is not refetched. */
export const allFiringQuery = (of: ScheduleScope, within: Within) =>
  queryOptions({
    queryKey: ['all-firing-schedules', of, within.from, within.to],
    queryFn: async () => {
      const rows: ForecastSchedule[] = [];
      let cursor: string | null = null;
      do {
        const page: { rows: ForecastSchedule[]; next: string | null } = await firingPage(
          of,
          within,
          LARGE_PAGE,
          cursor,
        );
        rows.push(...page.rows);
        cursor = page.next;
      } while (cursor !== null && rows.length < FIRING_AT_MOST);
      return rows;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Policy fire within a time, a page at a time. */
export const firingQuery = (of: ScheduleScope, { from, to, policy }: Within) =>
  infiniteQueryOptions({
    queryKey: [SCHEDULES, 'firing', of, from, to, policy],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam: cursor }) => firingPage(of, { from, to, ...(policy ? { policy } : {}) }, PER_PAGE, cursor),
    getNextPageParam: ({ next }) => next,
  });

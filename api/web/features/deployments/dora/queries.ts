import type { Container } from '../../../data/containers.js';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import type { DoraFilters } from './filters.js';
import { METRICS } from './metrics.js';
import type { Interval, Metric } from './metrics.js';

/** The values of a day, of a month by its first day, or of the whole range: then the date is null. */
export type DoraPoint = { date: string | null } & Partial<Record<Metric, number | null>>;

function metricsParams({ start, end, tiers }: DoraFilters, interval: Interval) {
  return {
    'metrics[]': [...METRICS],
    interval,
    'environment_tiers[]': [...tiers],
    ...(start ? { start_date: start } : {}),
    ...(end ? { end_date: end } : {}),
  };
}

/** The four metrics over a range, by interval. */
export const metricsQuery = ({ kind, path }: Container, filters: DoraFilters, interval: Interval) =>
  queryOptions({
    queryKey: ['dora', kind, path, interval, filters.start, filters.end, filters.tiers],
    queryFn: async (): Promise<DoraPoint[]> => {
      const params = { path: { id: path }, query: metricsParams(filters, interval) };
      return unwrap(
        kind === 'group'
          ? api.GET('/groups/{id}/dora/metrics', { params })
          : api.GET('/projects/{id}/dora/metrics', { params }),
      );
    },
  });

/** Where the same numbers are got as a file. */
export function csvAddress({ kind, path }: Container, filters: DoraFilters): string {
  const query = new URLSearchParams({ format: 'csv' });
  for (const [name, value] of Object.entries(metricsParams(filters, filters.interval)))
    for (const one of [value].flat()) query.append(name, one);
  return `/api/v4/${kind}s/${encodeURIComponent(path)}/dora/metrics?${query}`;
}

/** The explanation of a point. */
export const explanationQuery = (
  { kind, path }: Container,
  { metric, date }: { metric: Metric; date: string },
  tiers: readonly string[],
) =>
  queryOptions({
    queryKey: ['dora', kind, path, 'explain', metric, date, tiers],
    queryFn: () => {
      const params = { path: { id: path }, query: { metric, date, 'environment_tiers[]': [...tiers] } };
      return unwrap(
        kind === 'group'
          ? api.GET('/groups/{id}/dora/explain', { params })
          : api.GET('/projects/{id}/dora/explain', { params }),
      );
    },
  });

export type Explanation = Awaited<ReturnType<NonNullable<ReturnType<typeof explanationQuery>['queryFn']>>>;

import { queryOptions } from '@tanstack/react-query';
import { api, unwrapKeysetPage, unwrap } from '../../../data/api.js';
import { serverNow } from '../../../ui/now.js';
import { SCHEDULES } from './queries.js';
import { OUTCOMES } from './labels.js';
import type { Outcome } from './labels.js';

const PER_PAGE = 50;

const HOUR_MS = 3_600_000;

/** Times up to now that people look at most, in hours. */
const RECENT = { hour: 1, day: 24, week: 168, month: 720 } as const;
type Recent = keyof typeof RECENT;

/** The ledger filters in an address. */
export interface LedgerFilters {
  outcome: Outcome | '';
  /** How far back from now, by {@link RECENT}; then days do not matter. */
  last: Recent | '';
  /** Days, `YYYY-MM-DD`, the last of them included; on the viewer's calendar. */
  from: string;
  to: string;
  /** A single due time. */
  dueAt: string | null;
  cursor: string | null;
}

const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\d$/.test(text);

const isInstant = (text: string | null): text is string => text !== null && !Number.isNaN(Date.parse(text));

/** Reads the filters from an address; invalid values count as missing. */
export function readLedgerFilters(search: URLSearchParams): LedgerFilters {
  const [from, to, dueAt] = [search.get('from'), search.get('to'), search.get('moment')];
  return {
    outcome: (Object.keys(OUTCOMES) as Outcome[]).find((name) => name === search.get('outcome')) ?? '',
    last: (Object.keys(RECENT) as Recent[]).find((name) => name === search.get('last')) ?? '',
    from: isDay(from) ? from : '',
    to: isDay(to) ? to : '',
    dueAt: isInstant(dueAt) ? dueAt : null,
    cursor: search.get('cursor'),
  };
}

/** The start of a day, or of the one after it, by the viewer's clock. */
function getStart(day: string, after = 0): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + after);
  return date.toISOString();
}

function getRange({ outcome, last, from, to, dueAt }: LedgerFilters) {
  if (dueAt !== null) {
    const at = Date.parse(dueAt);
    return { due_after: new Date(at).toISOString(), due_before: new Date(at + 1).toISOString() };
  }
  if (last !== '')
    return {
      ...(outcome === '' ? {} : { 'outcome[]': [outcome] }),
      due_after: new Date(serverNow() - RECENT[last] * HOUR_MS).toISOString(),
    };
  return {
    ...(outcome === '' ? {} : { 'outcome[]': [outcome] }),
    ...(from === '' ? {} : { due_after: getStart(from) }),
    ...(to === '' ? {} : { due_before: getStart(to, 1) }),
  };
}

const one = (path: string, id: number) => ({ path: { id: path, pipeline_schedule_id: id } });

/** A page of the due times of a schedule, the newest first. */
export const ledgerQuery = (path: string, id: number, filters: LedgerFilters) =>
  queryOptions({
    queryKey: [SCHEDULES, 'ledger', path, id, filters],
    queryFn: () =>
      unwrapKeysetPage(
        api.GET('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/runs', {
          params: {
            ...one(path, id),
            query: {
              ...getRange(filters),
              pagination: 'keyset',
              per_page: PER_PAGE,
              ...(filters.cursor === null ? {} : { cursor: filters.cursor }),
            },
          },
        }),
        PER_PAGE,
      ),
  });

/** Counts and percentiles of all filtered entries, independent of the displayed page. */
export const summaryQuery = (path: string, id: number, filters: LedgerFilters) =>
  queryOptions({
    queryKey: [SCHEDULES, 'summary', path, id, { ...filters, cursor: null }],
    queryFn: () =>
      unwrap(
        api.GET('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/runs/summary', {
          params: { ...one(path, id), query: getRange(filters) },
        }),
      ),
  });

/** The address of the same entries as a file download. */
export function ledgerCsv(path: string, id: number, filters: LedgerFilters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(getRange(filters)))
    for (const one of [value].flat()) query.append(name, one);
  return `/api/v4/projects/${encodeURIComponent(path)}/pipeline_schedules/${id}/runs/export?${query}`;
}

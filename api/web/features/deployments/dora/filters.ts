import { dayFromNow } from '../../../ui/now.js';
import { INTERVALS, METRICS, TIERS } from './metrics.js';
import type { Interval, Metric, Tier } from './metrics.js';

/** The page's filters in the address. */
export interface DoraFilters {
  interval: Interval;
  /** `YYYY-MM-DD`, UTC, both included; the API's own range where they are null. */
  start: string | null;
  end: string | null;
  /** Never empty. */
  tiers: readonly Tier[];
  /** The point that is explained. */
  point: { metric: Metric; date: string } | null;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const dayIn = (search: URLSearchParams, name: string): string | null => {
  const value = search.get(name) ?? '';
  return DAY.test(value) ? value : null;
};

/** Invalid values in an address count as missing. */
export function readFilters(search: URLSearchParams): DoraFilters {
  const interval = search.get('interval') ?? '';
  const names = (search.get('tiers') ?? '').split(',');
  const tiers = TIERS.filter((tier) => names.includes(tier));
  const metric = METRICS.find((name) => name === search.get('metric'));
  const date = dayIn(search, 'date');
  return {
    interval: Object.hasOwn(INTERVALS, interval) ? (interval as Interval) : 'daily',
    start: dayIn(search, 'start'),
    end: dayIn(search, 'end'),
    tiers: tiers.length > 0 ? tiers : ['production'],
    point: metric && date ? { metric, date } : null,
  };
}

/** The same day some months earlier, or the last one of that month. */
function monthsBefore(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - count, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The API's default range if no first day is set. */
const MONTHS = 3;

/** The first and last day that are meant, also where the address names none. */
export function getRange({ start, end }: DoraFilters): { from: string; to: string } {
  const today = dayFromNow(0);
  return { from: start ?? monthsBefore(today, MONTHS), to: end ?? today };
}

/** The address of a point: of a day its explanation, of a month its days. */
export function pointAddress(search: URLSearchParams, interval: Interval, metric: Metric, date: string): string {
  const next = new URLSearchParams(search);
  if (interval === 'daily') {
    next.set('metric', metric);
    next.set('date', date);
    return `?${next}`;
  }
  const [year = 0, month = 1] = date.split('-').map(Number);
  next.set('interval', 'daily');
  next.set('start', date);
  next.set('end', new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10));
  return `?${next}`;
}

import { dayAfter, daysFrom } from './dora-query.js';
import type { DoraQuery } from './dora-query.js';
import type { DoraPoint } from './dora-points.js';

/** The first and the last day of a range that lie in the point of a date. */
function bounds({ start, end, interval }: DoraQuery, date: string | null): [string, string] {
  if (interval === 'daily' && date !== null) return [date, date];
  if (date === null) return [start, end];
  const last = dayAfter(nextMonth(date), -1);
  return [date < start ? start : date, last > end ? end : last];
}

/** The first day of the month after the one that a day lies in. */
function nextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  // Not with numeric parts: JavaScript maps years below 100 to the 20th century.
  return month === 12
    ? `${String(year + 1).padStart(4, '0')}-01-01`
    : `${day.slice(0, 5)}${String(month + 1).padStart(2, '0')}-01`;
}

/** Every day, or the first day of every month, of a range. */
function getDates({ start, end, interval }: DoraQuery): string[] {
  const dates: string[] = [];
  const first = interval === 'monthly' ? `${start.slice(0, 8)}01` : start;
  for (let date = first; date <= end; date = interval === 'monthly' ? nextMonth(date) : dayAfter(date)) {
    dates.push(date);
    // The year after the last has five digits.
    if (date >= '9999-12-31') break;
  }
  return dates;
}

/** With a point for every date of the range, without values where there is no row (dora.md section 6). */
export function withGaps(query: DoraQuery, points: readonly DoraPoint[]): DoraPoint[] {
  if (query.interval === 'all') return [...points];
  const pointsByDate = new Map(points.map((point) => [point.date, point]));
  return getDates(query).map((date) => pointsByDate.get(date) ?? { date });
}

/** With deployments per day of a point, both ends of its part of the range counted, instead of their number. */
export function perDay(query: DoraQuery, points: readonly DoraPoint[]): DoraPoint[] {
  return points.map((point) => {
    const { date, deployment_frequency: count } = point;
    if (count === null || count === undefined) return point;
    return { ...point, deployment_frequency: count / daysFrom(...bounds(query, date)) };
  });
}

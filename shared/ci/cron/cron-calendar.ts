import type { CronExpression } from './cron.js';

// Local times are milliseconds since 1970-01-01T00:00 on the wall clock of a zone, as if that clock were UTC.
export const MINUTE = 60_000;
export const DAY = 86_400_000;

/**
 * The first local time at or after `from` (a whole local minute) that the expression matches, on the calendar alone: daylight saving
 * is not considered. Null when there is none up to `limit`. Both are local milliseconds, see above.
 */
export function nextLocalTime(cron: CronExpression, from: number, limit: number): number | null {
  const today = Math.floor(from / DAY) * DAY;
  const day = nextDay(cron, today);
  if (day === null || day > limit) return null;
  if (day > today) return day + cron.times[0]! * MINUTE;
  const time = firstAtOrAfter(cron.times, (from - today) / MINUTE);
  if (time !== null) return today + time * MINUTE;
  const later = nextDay(cron, today + DAY);
  return later === null || later > limit ? null : later + cron.times[0]! * MINUTE;
}

// The 29 February of one weekday comes back after 40 years at the latest (around 2100), so a longer search finds nothing new.
const MOST_MONTHS = 12 * 41;

/** The first matching day at or after `from`, a local midnight. */
function nextDay(cron: CronExpression, from: number): number | null {
  const date = new Date(from);
  let year = date.getUTCFullYear();
  let month = date.getUTCMonth();
  let notBefore = date.getUTCDate();
  for (let tried = 0; tried <= MOST_MONTHS; tried++) {
    if (cron.months & (1 << (month + 1))) {
      const days = matchingDays(cron, year, month) & (-1 << (notBefore - 1));
      if (days !== 0) return Date.UTC(year, month, lowestBit(days) + 1);
    }
    notBefore = 1;
    month = (month + 1) % 12;
    if (month === 0) year++;
  }
  return null;
}

/** The matching days of a month (0-11) as a mask, bit `day - 1`. */
function matchingDays(cron: CronExpression, year: number, month: number): number {
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const all = 2 ** length - 1;
  let days = cron.daysOfMonth & all;
  if (cron.lastDayOfMonth) days |= 1 << (length - 1);
  if (!cron.byWeekday) return days;
  const weekdays = daysByWeekday(cron, new Date(Date.UTC(year, month, 1)).getUTCDay(), length);
  return cron.byDayOfMonth ? days | weekdays : weekdays;
}

function daysByWeekday(cron: CronExpression, firstWeekday: number, length: number): number {
  let days = 0;
  for (let day = 1; day <= length; day++) {
    const last = day + 7 > length ? cron.lastWeekdays : 0;
    const weekdays = cron.weekdays | cron.nthWeekdays[Math.ceil(day / 7)]! | last;
    if (weekdays & (1 << ((firstWeekday + day - 1) % 7))) days |= 1 << (day - 1);
  }
  return days;
}

function lowestBit(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

/** Binary search in an ascending list. */
function firstAtOrAfter(times: readonly number[], least: number): number | null {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low < times.length ? times[low]! : null;
}

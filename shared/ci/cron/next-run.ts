import { MINUTE } from './cron-calendar.js';
import { parseCron } from './cron.js';
import { nextInstant } from './next-instant.js';
import { resolveTimeZone } from './time-zones.js';
import { zoneOffsets } from './zone-offsets.js';

const MINUTES_A_DAY = 1440;

/**
 * The next instant strictly after `after` at which a schedule runs (pipeline-schedules.md section 6 rule 1), on a whole
 * minute, by the daylight-saving rule of contract decision 6: a fixed local time runs once, in a gap at the first
 * instant after it, in an overlap at its first occurrence; an expression with a wildcard minute or hour (as determined
 * by `parseCron`) runs through both passes of an overlap and skips a gap. `timeZone` is any name that `resolveTimeZone`
 * accepts. Null if the expression or zone is invalid (rule 5), or if the schedule never runs, such as a wildcard minute
 * in an hour that is always skipped.
 */
export function nextRun(expression: string, timeZone: string, after: Date): Date | null {
  const parsed = parseCron(expression);
  const zone = resolveTimeZone(timeZone);
  if (!parsed.ok || zone === null) return null;
  const instant = nextInstant(parsed.cron, zoneOffsets(zone), after.getTime());
  return instant === null ? null : new Date(instant);
}

/** How many minutes lie between two runs of a schedule at least, when it may run that often a day. */
export function minutesApart(perDay: number): number {
  return Math.floor(MINUTES_A_DAY / perDay);
}

/**
 * `nextRun` under the limit of runs a day (pipeline-schedules.md section 6 rule 3): the next matching instant after `after` that is at
 * least floor(1440 / perDay) minutes after the last run. `perDay` 0 means no limit, `lastRun` null that it never ran.
 */
export function nextRunWithDailyLimit(
  expression: string,
  timeZone: string,
  after: Date,
  lastRun: Date | null,
  perDay: number,
): Date | null {
  if (lastRun === null || perDay <= 0) return nextRun(expression, timeZone, after);
  const farEnough = lastRun.getTime() + minutesApart(perDay) * MINUTE;
  // Subtracts one millisecond because nextRun returns strictly later instants.
  return nextRun(expression, timeZone, new Date(Math.max(after.getTime(), farEnough - 1)));
}

import { MINUTE, nextLocalTime } from './cron-calendar.js';
import { parseCron, type CronExpression } from './cron.js';
import { nextInstant } from './next-instant.js';
import { resolveTimeZone } from './time-zones.js';
import { zoneOffsets, type OffsetChange, type ZoneOffsets } from './zone-offsets.js';

/** One coming run. `local` is the wall clock at it (`2026-03-29T03:00:00`), `offset` its distance from UTC (`+02:00`). */
export interface UpcomingRun {
  at: Date;
  local: string;
  offset: string;
  /** A message about how a clock change affects this run; null on ordinary days. */
  note: string | null;
}

/** More than the longest change of any zone's clock: a whole day. */
const LONGEST_CHANGE = 25 * 60 * MINUTE;

/**
 * The next `count` runs after `after`, by the rules of `nextRun`, each with a note where the clock changes. Fewer when there are no
 * more, none when expression or zone is invalid.
 */
export function nextRuns(expression: string, timeZone: string, after: Date, count: number): UpcomingRun[] {
  const parsed = parseCron(expression);
  const name = resolveTimeZone(timeZone);
  if (!parsed.ok || name === null) return [];
  const zone = zoneOffsets(name);
  const runs: UpcomingRun[] = [];
  let previous = after.getTime();
  while (runs.length < count) {
    const at = nextInstant(parsed.cron, zone, previous);
    if (at === null) break;
    const offset = zone.offsetAt(at);
    const note = parsed.cron.fixed
      ? noteOnFixed(parsed.cron, zone, at)
      : noteOnElapsed(parsed.cron, zone, previous, at);
    runs.push({ at: new Date(at), local: isoLocal(at + offset), offset: formatOffset(offset), note });
    previous = at;
  }
  return runs;
}

function noteOnFixed(cron: CronExpression, zone: ZoneOffsets, at: number): string | null {
  const local = at + zone.offsetAt(at);
  const gap = zone.changesBetween(at - 1, at).find((change) => change.after > change.before);
  const skipped = gap ? skippedTimes(cron, gap) : [];
  if (skipped.length > 0) {
    const sameDay = getDate(skipped[0]!) === getDate(local);
    return `${missing(skipped, zone)}; ${skipped.length > 1 ? 'runs once' : 'runs'} at ${sameDay ? readTime(local) : formatDateTime(local)}`;
  }
  return pass(zone, at) === 'first' ? `${twice(local, zone)}; runs at the first` : null;
}

function noteOnElapsed(cron: CronExpression, zone: ZoneOffsets, previous: number, at: number): string | null {
  const local = at + zone.offsetAt(at);
  const notes = zone
    .changesBetween(previous, at)
    .map((change) => skippedTimes(cron, change))
    .filter((skipped) => skipped.length > 0)
    .map((skipped) => `${missing(skipped, zone)}; skipped`);
  const which = pass(zone, at);
  if (which) notes.push(`${twice(local, zone)}; runs at both, this is the ${which}`);
  return notes.length > 0 ? notes.join('. ') : null;
}

/** The matching local times inside the gap a change makes; none when the clock goes back. */
function skippedTimes(cron: CronExpression, change: OffsetChange): number[] {
  const end = change.at + change.after;
  const times: number[] = [];
  let local = nextLocalTime(cron, change.at + change.before, end);
  while (local !== null && local < end) {
    times.push(local);
    local = nextLocalTime(cron, local + MINUTE, end);
  }
  return times;
}

/** Whether the local time at an instant happens twice, and which of the two this is. */
function pass(zone: ZoneOffsets, at: number): 'first' | 'second' | null {
  for (const { at: changed, before, after } of zone.changesBetween(at - LONGEST_CHANGE, at + LONGEST_CHANGE)) {
    const repeated = before - after;
    if (at >= changed - repeated && at < changed) return 'first';
    if (at >= changed && at < changed + repeated) return 'second';
  }
  return null;
}

function missing(times: readonly number[], { zone }: ZoneOffsets): string {
  const [first, last] = [times[0]!, times.at(-1)!];
  if (getDate(first) !== getDate(last))
    return `${formatDateTime(first)} to ${formatDateTime(last)} do not exist in ${zone}`;
  const where = `exist on ${getDate(first)} in ${zone}`;
  if (times.length === 1) return `${readTime(first)} does not ${where}`;
  return `${readTime(first)} ${times.length === 2 ? 'and' : 'to'} ${readTime(last)} do not ${where}`;
}

function twice(local: number, { zone }: ZoneOffsets): string {
  return `${readTime(local)} happens twice on ${getDate(local)} in ${zone}`;
}

function isoLocal(local: number): string {
  return new Date(local).toISOString().slice(0, 19);
}

function getDate(local: number): string {
  return isoLocal(local).slice(0, 10);
}

function readTime(local: number): string {
  return isoLocal(local).slice(11, 16);
}

function formatDateTime(local: number): string {
  return `${getDate(local)} ${readTime(local)}`;
}

/** `+02:00`; with seconds for the local mean times of the past. */
function formatOffset(offset: number): string {
  const clock = new Date(Math.abs(offset)).toISOString().slice(11, 19);
  return (offset < 0 ? '-' : '+') + (clock.endsWith(':00') ? clock.slice(0, 5) : clock);
}

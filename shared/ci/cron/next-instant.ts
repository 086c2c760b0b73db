import { DAY, MINUTE, nextLocalTime } from './cron-calendar.js';
import type { CronExpression } from './cron.js';
import type { ZoneOffsets } from './zone-offsets.js';

// Longer than the 40 years between two 29 February of one weekday.
const HORIZON = 50 * 366 * DAY;
// No zone was ever further east than this, so a local time is never reached sooner than this long before the same time in UTC.
const FARTHEST_EAST = 16 * 60 * MINUTE;

/**
 * The next instant strictly after `after` at which the expression runs in the zone, by contract decision 6. Milliseconds since 1970 UTC;
 * null when there is none within 50 years.
 */
export function nextInstant(cron: CronExpression, zone: ZoneOffsets, after: number): number | null {
  if (Number.isNaN(after)) return null;
  return cron.fixed ? nextOfFixed(cron, zone, after) : nextOfElapsed(cron, zone, after);
}

/** Each matching local time maps to one instant; later local times never map to earlier instants. */
function nextOfFixed(cron: CronExpression, zone: ZoneOffsets, after: number): number | null {
  const now = getMinute(after + zone.offsetAt(after));
  const limit = now + HORIZON;
  let local = nextLocalTime(cron, now + MINUTE, limit);
  while (local !== null) {
    const instant = instantOfFixed(zone, local);
    // Not later only while a repeated hour passes for the second time, or at the end of a gap.
    if (instant > after) return instant;
    local = nextLocalTime(cron, local + MINUTE, limit);
  }
  return null;
}

/**
 * The instant at which a fixed local time runs: its first occurrence, or the first instant after the gap that swallows it.
 * A date that a zone left out altogether (Samoa, 30 December 2011) is such a gap.
 */
function instantOfFixed(zone: ZoneOffsets, local: number): number {
  let from = local - FARTHEST_EAST;
  for (;;) {
    const until = zone.constantUntil(from);
    const instant = local - zone.offsetAt(from);
    if (instant < until) return Math.max(instant, from);
    from = until;
  }
}

/** Every instant whose local time matches: a repeated hour matches twice, a skipped one never. */
function nextOfElapsed(cron: CronExpression, zone: ZoneOffsets, after: number): number | null {
  let from = after;
  let offset = zone.offsetAt(from);
  const limit = from + offset + HORIZON;
  let earliest = getMinute(from + offset) + MINUTE;
  for (;;) {
    const local = nextLocalTime(cron, earliest, limit);
    if (local === null) return null;
    const until = zone.constantUntil(from);
    if (local - offset < until) return local - offset;
    from = until;
    offset = zone.offsetAt(from);
    earliest = Math.ceil((from + offset) / MINUTE) * MINUTE;
  }
}

function getMinute(local: number): number {
  return Math.floor(local / MINUTE) * MINUTE;
}

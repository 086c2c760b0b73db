import { DAY, MINUTE } from './cron-calendar.js';

/** A change of a zone's clock at an instant: offsets from UTC in milliseconds (east is positive) before and from it on. */
export interface OffsetChange {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** The changes with `start < at <= end` of one time range. */
interface Span {
  readonly end: number;
  readonly firstOffset: number;
  readonly changes: readonly OffsetChange[];
}

const SPAN = 366 * DAY;
// Since 1990 no zone changed twice within a week, so samples this far apart see every change.
const SAMPLE = 3 * DAY;
const SECOND = 1000;

/**
 * The offsets of one IANA zone. Intl only returns the offset at an instant and takes microseconds per call, so changes
 * are found by bisection, one year at a time, and cached. A process uses the zone data it started with.
 */
export class ZoneOffsets {
  readonly #spans = new Map<number, Span>();

  constructor(readonly zone: string) {}

  /** Offset from UTC in milliseconds at an instant. */
  offsetAt(instant: number): number {
    const { changes, firstOffset } = this.#spanOf(instant);
    let offset = firstOffset;
    for (const change of changes) {
      if (change.at > instant) break;
      offset = change.after;
    }
    return offset;
  }

  /** An instant after `instant` until which the offset is known to be constant; the next change is at or after it. */
  constantUntil(instant: number): number {
    const { changes, end } = this.#spanOf(instant);
    for (const change of changes) if (change.at > instant) return change.at;
    return end;
  }

  /** All changes with `after < at <= until`, in order. */
  changesBetween(after: number, until: number): OffsetChange[] {
    const found: OffsetChange[] = [];
    for (let from = after; from < until; from = this.#spanOf(from).end) {
      found.push(...this.#spanOf(from).changes.filter(({ at }) => at > after && at <= until));
    }
    return found;
  }

  #spanOf(instant: number): Span {
    const index = Math.floor(instant / SPAN);
    let span = this.#spans.get(index);
    if (!span) {
      span = findChanges(this.zone, index * SPAN);
      this.#spans.set(index, span);
    }
    return span;
  }
}

const zones = new Map<string, ZoneOffsets>();

/** The shared offsets of a zone, which must be a name that `resolveTimeZone` returned: only so is their number bounded. */
export function zoneOffsets(zone: string): ZoneOffsets {
  let offsets = zones.get(zone);
  if (!offsets) zones.set(zone, (offsets = new ZoneOffsets(zone)));
  return offsets;
}

function findChanges(zone: string, start: number): Span {
  const end = start + SPAN;
  const changes: OffsetChange[] = [];
  const firstOffset = readOffset(zone, start);
  let before = firstOffset;
  for (let from = start; from < end; from += SAMPLE) {
    const after = readOffset(zone, from + SAMPLE);
    if (after !== before) changes.push({ at: bisect(zone, from, from + SAMPLE, before), before, after });
    before = after;
  }
  return { end, firstOffset, changes };
}

/** The first whole second in (from, to] whose offset is not `before`. */
function bisect(zone: string, from: number, to: number, before: number): number {
  let low = from;
  let high = to;
  while (high - low > SECOND) {
    const middle = Math.floor((low + high) / 2 / SECOND) * SECOND;
    if (readOffset(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

// Creating a formatter is far slower than using it, and each one holds memory: only the last one is cached.
let formatter: { zone: string; format: Intl.DateTimeFormat } | undefined;

function readOffset(zone: string, instant: number): number {
  if (formatter?.zone !== zone) {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', timeZoneName: 'longOffset' });
    formatter = { zone, format };
  }
  const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(
    formatter.format.format(instant),
  )!;
  if (sign === undefined) return 0;
  const size = (Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds ?? 0) * SECOND;
  return sign === '-' ? -size : size;
}

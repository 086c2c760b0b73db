import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { nextRunWithDailyLimit } from '../cron/next-run.js';

export const MINUTE_MS = 60_000;

/** When something fires: what schedules of one cron expression and zone have in common. */
export interface Times {
  readonly cron: string;
  readonly cron_timezone: string;
}

/** A time range, from an instant to before another, in milliseconds since 1970. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Minutes from the start of the range at which something fires, ascending. */
export type DueMinutes = Uint16Array;

const CACHED_BYTES = 32 * 1024 * 1024;
const OVERHEAD_BYTES = 256;

/** Many callers request the same range: it begins on a whole hour. */
const cache = new LRUCache<string, DueMinutes>({
  maxSize: CACHED_BYTES,
  sizeCalculation: (dueMinutes, key) => dueMinutes.byteLength + key.length * 2 + OVERHEAD_BYTES,
});

/** @param perDay runs of a schedule a day at most; 0 is no limit */
function computed({ cron, cron_timezone: zone }: Times, { from, to }: TimeRange, perDay: number): DueMinutes {
  const minutes: number[] = [];
  let last: Date | null = null;
  let after = new Date(from - 1);
  for (;;) {
    const next: Date | null = nextRunWithDailyLimit(cron, zone, after, last, perDay);
    if (!next || next.getTime() >= to) return Uint16Array.from(minutes);
    minutes.push(Math.floor((next.getTime() - from) / MINUTE_MS));
    last = next;
    after = next;
  }
}

function findDueMinutes(times: Times, range: TimeRange, perDay: number): DueMinutes {
  const key = `${range.from} ${range.to} ${perDay} ${times.cron_timezone} ${times.cron}`;
  let found = cache.get(key);
  if (!found) cache.set(key, (found = computed(times, range, perDay)));
  return found;
}

/** How long the process computes before it looks after others. */
const SLICE_MS = 8;

/**
 * Calls back for each schedule that fires with its due times, and yields to the event loop between schedules. Ranges of
 * up to 45 days are supported.
 * @throws the reason of `signal`
 */
export async function eachThatFires<T extends Times>(
  all: readonly T[],
  range: TimeRange,
  perDay: number,
  signal: AbortSignal,
  visit: (one: T, dueMinutes: DueMinutes) => void,
): Promise<void> {
  let since = performance.now();
  for (const one of all) {
    const dueMinutes = findDueMinutes(one, range, perDay);
    if (dueMinutes.length > 0) visit(one, dueMinutes);
    if (performance.now() - since < SLICE_MS) continue;
    await setImmediate();
    signal.throwIfAborted();
    since = performance.now();
  }
}

/** What becomes of the due times of an outage once it is over. */
export interface AfterOutage {
  fires: number;
  missed: number;
}

/** A run later than this was missed, not merely late. */
const GRACE_MS = 60_000;

/**
 * What a schedule does once the service is back, by its missed policy: `last` fires the newest due time, `all` fires
 * each, `skip` fires the newest if it is at most a minute old (contract decision 7).
 * @param dueMinutes the due times during the outage; at least one
 */
export function afterOutage(policy: string, dueMinutes: DueMinutes, { from, to }: TimeRange): AfterOutage {
  if (policy === 'all') return { fires: dueMinutes.length, missed: 0 };
  const newest = from + (dueMinutes.at(-1) as number) * MINUTE_MS;
  const fires = policy === 'skip' && to - newest > GRACE_MS ? 0 : 1;
  return { fires, missed: dueMinutes.length - fires };
}

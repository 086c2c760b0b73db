import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { nextRunWithDailyLimit } from '../cron/next-run.js';

export const MINUTE_MS = 60_000;

/** When something fires: what schedules of one cron expression and zone have in common. */
export interface Times {
  readonly cron: string;
  readonly cron_timezone: string;
}

/** A stretch of time, from an instant to before another, in milliseconds since 1970. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Minutes from the start of the stretch at which something fires, ascending. */
export type Moments = Uint16Array;

const CACHED_BYTES = 32 * 1024 * 1024;
const OVERHEAD_BYTES = 256;

/** Many ask for the same stretch: it begins on a whole hour. */
const cache = new LRUCache<string, Moments>({
  maxSize: CACHED_BYTES,
  sizeCalculation: (moments, key) => moments.byteLength + key.length * 2 + OVERHEAD_BYTES,
});

/** @param perDay runs of a schedule a day at most; 0 is no limit */
function computed({ cron, cron_timezone: zone }: Times, { from, to }: Stretch, perDay: number): Moments {
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

function momentsOf(times: Times, stretch: Stretch, perDay: number): Moments {
  const key = `${stretch.from} ${stretch.to} ${perDay} ${times.cron_timezone} ${times.cron}`;
  let found = cache.get(key);
  if (!found) cache.set(key, (found = computed(times, stretch, perDay)));
  return found;
}

/** How long the process computes before it looks after others. */
const SLICE_MS = 8;

/**
 * Tells of each of many when it fires, those that do, and lets the process do other work between them. A stretch of up
 * to 45 days.
 * @throws the reason of `signal`
 */
export async function eachThatFires<T extends Times>(
  all: readonly T[],
  stretch: Stretch,
  perDay: number,
  signal: AbortSignal,
  visit: (one: T, moments: Moments) => void,
): Promise<void> {
  let since = performance.now();
  for (const one of all) {
    const moments = momentsOf(one, stretch, perDay);
    if (moments.length > 0) visit(one, moments);
    if (performance.now() - since < SLICE_MS) continue;
    await setImmediate();
    signal.throwIfAborted();
    since = performance.now();
  }
}

/** What becomes of the due moments of an outage once it is over. */
export interface AfterOutage {
  fires: number;
  missed: number;
}

/** A run later than this was missed, not merely late. */
const GRACE_MS = 60_000;

/**
 * What a schedule does once the service is back, by its missed policy: `last` fires the newest moment, `all` fires each,
 * `skip` fires the newest where it is not over a minute old (contract decision 7).
 * @param moments the due moments while it was down; at least one
 */
export function afterOutage(policy: string, moments: Moments, { from, to }: Stretch): AfterOutage {
  if (policy === 'all') return { fires: moments.length, missed: 0 };
  const newest = from + (moments.at(-1) as number) * MINUTE_MS;
  const fires = policy === 'skip' && to - newest > GRACE_MS ? 0 : 1;
  return { fires, missed: moments.length - fires };
}

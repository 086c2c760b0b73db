import type { Moments, Stretch } from './forecast-moments.js';
import { MINUTE_MS } from './forecast-moments.js';

/** What becomes of the due moments of an outage once it is over. */
export interface AfterOutage {
  fires: number;
  missed: number;
}

/** A run later than this was missed, not merely late. */
const GRACE_MS = 60_000;

/**
 * What a schedule does once the service is back, by its missed policy: `last` fires the newest moment, `all` fires each,
 * `skip` fires the newest where it is not over a minute old (README decision 7).
 * @param moments the due moments while it was down; at least one
 */
export function afterOutage(policy: string, moments: Moments, { from, to }: Stretch): AfterOutage {
  if (policy === 'all') return { fires: moments.length, missed: 0 };
  const newest = from + (moments.at(-1) as number) * MINUTE_MS;
  const fires = policy === 'skip' && to - newest > GRACE_MS ? 0 : 1;
  return { fires, missed: moments.length - fires };
}

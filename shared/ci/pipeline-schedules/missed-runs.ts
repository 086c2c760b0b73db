import type { RunCause } from './pipeline-schedule.entity.js';
import { nextRunAt } from './schedule-rules.js';

/** A run later than this was missed, not merely late: the service was down. */
const GRACE_MS = 60_000;
/** Missed moments recorded one by one; what is older is summed up in the oldest of them. */
const RECORDED_AT_MOST = 1000;
/** Moments enumerated one by one from the first due one: three days of a schedule of every minute, and some. */
const LOOKED_AT_MOST = 5000;
/** With `all`, moments claimed at a time; the schedule stays due until the last one is claimed. */
const FIRED_AT_ONCE = 1000;
const HOUR_MS = 3_600_000;

export interface PlannedRun {
  dueAt: Date;
  state: 'pending' | 'missed' | 'skipped';
  cause: RunCause | null;
  reason: string | null;
}

interface Due {
  cron: string;
  cron_timezone: string;
  missed_policy: string;
  next_run_at: Date;
}

interface Moments {
  /** Ascending, at most up to now. */
  moments: Date[];
  /** The moment after the last of them. */
  next: Date | null;
}

function momentsFrom(schedule: Due, first: Date, now: Date, perDay: number, atMost: number): Moments {
  const moments = [first];
  let next = nextRunAt(schedule, first, first, perDay);
  while (next && next <= now && moments.length < atMost) {
    moments.push(next);
    next = nextRunAt(schedule, next, next, perDay);
  }
  return { moments, next };
}

/** The newest moments up to now, found by looking back ever further, where there are too many to enumerate. */
function newestMoments(schedule: Due, now: Date, perDay: number): Moments {
  const age = now.getTime() - schedule.next_run_at.getTime();
  for (let back = HOUR_MS; ; back *= 2) {
    const reach = Math.min(back, age);
    const first = reach === age ? schedule.next_run_at : nextRunAt(schedule, new Date(now.getTime() - reach));
    if (!first || first > now) continue;
    const found = momentsFrom(schedule, first, now, perDay, Number.POSITIVE_INFINITY);
    if (found.moments.length > RECORDED_AT_MOST || reach === age) return found;
  }
}

function missedSince(schedule: Due, earlier: number | null): string {
  const since = schedule.next_run_at.toISOString();
  if (earlier === 0) return 'The service was down.';
  return earlier === null
    ? `The service was down; all earlier runs since ${since} were missed as well.`
    : `The service was down; ${earlier} earlier runs since ${since} were missed as well.`;
}

/** @param uncounted older moments than these were not even counted */
function recordMissed(schedule: Due, moments: readonly Date[], uncounted: boolean): PlannedRun[] {
  const recorded = moments.slice(-RECORDED_AT_MOST);
  const earlier = uncounted ? null : moments.length - recorded.length;
  return recorded.map((dueAt, index) => ({
    dueAt,
    state: 'missed',
    cause: 'service_down',
    reason: missedSince(schedule, index === 0 ? earlier : 0),
  }));
}

/**
 * What becomes of a schedule's due moments up to now, and when it runs next (contract decision 7): with `last` the
 * newest moment fires and the others are missed, with `all` each fires, with `skip` none that is over a minute late.
 * With `all` the next run may still be in the past: then the schedule is due again.
 * @param perDay runs of the schedule a day at most; 0 is no limit
 */
export function dueRuns(schedule: Due, now: Date, perDay: number): { runs: PlannedRun[]; nextRunAt: Date | null } {
  const fire = (dueAt: Date): PlannedRun => ({ dueAt, state: 'pending', cause: null, reason: null });
  const first = schedule.next_run_at;
  if (schedule.missed_policy === 'all') {
    const { moments, next } = momentsFrom(schedule, first, now, perDay, FIRED_AT_ONCE);
    return { runs: moments.map(fire), nextRunAt: next };
  }
  let { moments, next } = momentsFrom(schedule, first, now, perDay, LOOKED_AT_MOST);
  const uncounted = next !== null && next <= now;
  if (uncounted) ({ moments, next } = newestMoments(schedule, now, perDay));
  const newest = moments.at(-1) as Date;
  const skips = schedule.missed_policy === 'skip' && now.getTime() - newest.getTime() > GRACE_MS;
  const runs = skips
    ? recordMissed(schedule, moments, uncounted)
    : [...recordMissed(schedule, moments.slice(0, -1), uncounted), fire(newest)];
  return { runs, nextRunAt: next };
}

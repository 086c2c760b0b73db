import type { RunCause } from './pipeline-schedule.entity.js';
import { nextRunAt } from './schedule-rules.js';

/** A run later than this was missed, not merely late: the service was down. */
const GRACE_MS = 60_000;
/** Maximum number of missed due times recorded individually; older ones are summarized in the oldest record. */
const RECORDED_AT_MOST = 1000;
/** Due times enumerated one by one from the first due one: three days of a schedule of every minute, and some. */
const LOOKED_AT_MOST = 5000;
/** With `all`, due times claimed at a time; the schedule stays due until the last one is claimed. */
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

interface DueTimes {
  /** Ascending, at most up to now. */
  dueTimes: Date[];
  /** The due time after the last of them. */
  next: Date | null;
}

function listDueTimes(schedule: Due, first: Date, now: Date, perDay: number, atMost: number): DueTimes {
  const dueTimes = [first];
  let next = nextRunAt(schedule, first, first, perDay);
  while (next && next <= now && dueTimes.length < atMost) {
    dueTimes.push(next);
    next = nextRunAt(schedule, next, next, perDay);
  }
  return { dueTimes, next };
}

/** The newest due times up to now, found by looking back ever further, where there are too many to enumerate. */
function findNewestDueTimes(schedule: Due, now: Date, perDay: number): DueTimes {
  const age = now.getTime() - schedule.next_run_at.getTime();
  for (let back = HOUR_MS; ; back *= 2) {
    const reach = Math.min(back, age);
    const first = reach === age ? schedule.next_run_at : nextRunAt(schedule, new Date(now.getTime() - reach));
    if (!first || first > now) continue;
    const found = listDueTimes(schedule, first, now, perDay, Number.POSITIVE_INFINITY);
    if (found.dueTimes.length > RECORDED_AT_MOST || reach === age) return found;
  }
}

function missedSince(schedule: Due, earlier: number | null): string {
  const since = schedule.next_run_at.toISOString();
  if (earlier === 0) return 'The service was down.';
  return earlier === null
    ? `The service was down; all earlier runs since ${since} were missed as well.`
    : `The service was down; ${earlier} earlier runs since ${since} were missed as well.`;
}

/** @param uncounted older due times than these were not even counted */
function recordMissed(schedule: Due, dueTimes: readonly Date[], uncounted: boolean): PlannedRun[] {
  const recorded = dueTimes.slice(-RECORDED_AT_MOST);
  const earlier = uncounted ? null : dueTimes.length - recorded.length;
  return recorded.map((dueAt, index) => ({
    dueAt,
    state: 'missed',
    cause: 'service_down',
    reason: missedSince(schedule, index === 0 ? earlier : 0),
  }));
}

/**
 * What becomes of a schedule's due times up to now, and when it runs next (contract decision 7): with `last` the
 * newest due time fires and the others are missed, with `all` each fires, with `skip` none that is over a minute late.
 * With `all` the next run may still be in the past: then the schedule is due again.
 * @param perDay runs of the schedule a day at most; 0 is no limit
 */
export function dueRuns(schedule: Due, now: Date, perDay: number): { runs: PlannedRun[]; nextRunAt: Date | null } {
  const fire = (dueAt: Date): PlannedRun => ({ dueAt, state: 'pending', cause: null, reason: null });
  const first = schedule.next_run_at;
  if (schedule.missed_policy === 'all') {
    const { dueTimes, next } = listDueTimes(schedule, first, now, perDay, FIRED_AT_ONCE);
    return { runs: dueTimes.map(fire), nextRunAt: next };
  }
  let { dueTimes, next } = listDueTimes(schedule, first, now, perDay, LOOKED_AT_MOST);
  const uncounted = next !== null && next <= now;
  if (uncounted) ({ dueTimes, next } = findNewestDueTimes(schedule, now, perDay));
  const newest = dueTimes.at(-1) as Date;
  const skips = schedule.missed_policy === 'skip' && now.getTime() - newest.getTime() > GRACE_MS;
  const runs = skips
    ? recordMissed(schedule, dueTimes, uncounted)
    : [...recordMissed(schedule, dueTimes.slice(0, -1), uncounted), fire(newest)];
  return { runs, nextRunAt: next };
}

import { nextRunAt } from './schedule-rules.js';

/** A run later than this was missed, not merely late: the service was down. */
const GRACE_MS = 60_000;
/** Missed moments recorded one by one; what is older is summed up in the oldest of them. */
const RECORDED_AT_MOST = 100;
/** Moments looked at, at most: a schedule of every minute over ten weeks. */
const LOOKED_AT_MOST = 100_000;

export interface PlannedRun {
  dueAt: Date;
  state: 'pending' | 'missed' | 'skipped';
  reason: string | null;
}

interface Due {
  cron: string;
  cron_timezone: string;
  missed_policy: string;
  next_run_at: Date;
}

function momentsDue(schedule: Due, now: Date, perDay: number): { moments: Date[]; next: Date | null } {
  const moments = [schedule.next_run_at];
  const after = (moment: Date) => nextRunAt(schedule, moment, moments.at(-1), perDay);
  let next = after(schedule.next_run_at);
  while (next && next <= now && moments.length < LOOKED_AT_MOST) {
    moments.push(next);
    next = after(next);
  }
  return { moments, next: next && next <= now ? after(now) : next };
}

const missed = (dueAt: Date, reason: string): PlannedRun => ({ dueAt, state: 'missed', reason });

function recordMissed(moments: readonly Date[]): PlannedRun[] {
  const recorded = moments.slice(-RECORDED_AT_MOST);
  const earlier = moments.length - recorded.length;
  return recorded.map((dueAt, index) =>
    missed(
      dueAt,
      index === 0 && earlier > 0
        ? `The service was down; so were ${earlier} earlier runs since ${(moments[0] as Date).toISOString()}.`
        : 'The service was down.',
    ),
  );
}

/**
 * What becomes of a schedule's due moments up to now, and when it runs next (README decision 7): with `last` the
 * newest moment fires and the others are missed, with `all` each fires, with `skip` none that is over a minute late.
 * @param perDay runs of one schedule a day at most; 0 is no limit
 */
export function dueRuns(
  schedule: Due,
  now: Date,
  perDay = 0,
): { runs: PlannedRun[]; nextRunAt: Date | null } {
  const { moments, next } = momentsDue(schedule, now, perDay);
  const fire = (dueAt: Date): PlannedRun => ({ dueAt, state: 'pending', reason: null });
  if (schedule.missed_policy === 'all') return { runs: moments.map(fire), nextRunAt: next };
  const newest = moments.at(-1) as Date;
  const skips = schedule.missed_policy === 'skip' && now.getTime() - newest.getTime() > GRACE_MS;
  const runs = skips
    ? recordMissed(moments)
    : [...recordMissed(moments.slice(0, -1)), fire(newest)];
  return { runs, nextRunAt: next };
}

import { eachThatFires, MINUTE_MS, afterOutage } from './forecast-due-times.js';
import type { TimeRange, Times } from './forecast-due-times.js';

const HOUR = 60;
const DAY = 24 * HOUR;
/** Maximum number of stampedes reported, the largest first. */
const MAX_STAMPEDES = 10;

interface Counted extends Times {
  missed_policy: string;
  /** How many schedules have these times. */
  count: number;
  /** The total number of schedules, including those whose times are not counted. */
  total: number;
}

/** Very many schedules in one minute, at one time of the day (UTC). */
interface Stampede {
  /** The first minute at which most of them fire. */
  at: string;
  count: number;
  /** Number of days in the forecast on which enough schedules fire at that time to be reported. */
  days: number;
}

export interface Forecast {
  from: string;
  to: string;
  schedules: number;
  /** Schedules excluded because there were too many different times to count. */
  left_out: number;
  /** Runs in each hour, from the first on. */
  hours: number[];
  stampedes: Stampede[];
}

export interface Outage {
  from: string;
  to: string;
  /** What would be due meanwhile, and become of it, by missed policy and altogether. */
  by_policy: Record<string, PolicyOutage>;
}

interface PolicyOutage {
  schedules: number;
  due: number;
  fires: number;
  missed: number;
}

const getIso = (ms: number) => new Date(ms).toISOString();

function getStampedes(minutes: Uint32Array, { from }: TimeRange, crowd: number): Stampede[] {
  const byTime = new Map<number, { minute: number; count: number; days: number }>();
  const firstOfDay = (from / MINUTE_MS) % DAY;
  minutes.forEach((count, minute) => {
    if (count < crowd) return;
    const time = (firstOfDay + minute) % DAY;
    const previous = byTime.get(time) ?? { minute, count: 0, days: 0 };
    const larger = count > previous.count ? { minute, count } : {};
    byTime.set(time, { ...previous, ...larger, days: previous.days + 1 });
  });
  return [...byTime.values()]
    .toSorted((one, other) => other.count - one.count || one.minute - other.minute)
    .slice(0, MAX_STAMPEDES)
    .map(({ minute, count, days }) => ({ at: getIso(from + minute * MINUTE_MS), count, days }));
}

/** @param crowd from how many in one minute on it is a stampede */
export async function countedForecast(
  times: readonly Counted[],
  range: TimeRange,
  perDay: number,
  crowd: number,
  signal: AbortSignal,
): Promise<Forecast> {
  const minutes = new Uint32Array((range.to - range.from) / MINUTE_MS);
  await eachThatFires(times, range, perDay, signal, ({ count }, dueMinutes) => {
    for (const minute of dueMinutes) minutes[minute] = (minutes[minute] as number) + count;
  });
  const hours = Array.from({ length: minutes.length / HOUR }, (_none, hour) =>
    minutes.subarray(hour * HOUR, (hour + 1) * HOUR).reduce((sum, count) => sum + count, 0),
  );
  const total = times[0]?.total ?? 0;
  return {
    from: getIso(range.from),
    to: getIso(range.to),
    schedules: total,
    left_out: total - times.reduce((sum, { count }) => sum + count, 0),
    hours,
    stampedes: getStampedes(minutes, range, crowd),
  };
}

/** What would be due in an outage, and what becomes of it after, by missed policy. */
export async function countedOutage(
  times: readonly Counted[],
  range: TimeRange,
  perDay: number,
  signal: AbortSignal,
): Promise<Outage> {
  const none = () => ({ schedules: 0, due: 0, fires: 0, missed: 0 });
  const byPolicy: Record<string, PolicyOutage> = { last: none(), skip: none(), all: none() };
  await eachThatFires(times, range, perDay, signal, ({ missed_policy: policy, count }, dueMinutes) => {
    const sum = byPolicy[policy] as PolicyOutage;
    const { fires, missed } = afterOutage(policy, dueMinutes, range);
    sum.schedules += count;
    sum.due += dueMinutes.length * count;
    sum.fires += fires * count;
    sum.missed += missed * count;
  });
  return { from: getIso(range.from), to: getIso(range.to), by_policy: byPolicy };
}

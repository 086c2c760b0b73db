/** What most schedules are, with what can be chosen of each. */
export type Chosen =
  | { often: 'minutes'; every: number }
  | { often: 'hourly'; minute: number }
  | { often: 'daily' | 'weekdays'; minute: number; hour: number }
  | { often: 'weekly'; minute: number; hour: number; days: readonly number[] }
  | { often: 'monthly'; minute: number; hour: number; day: number };
export type Often = Chosen['often'];

/** Minutes that divide the hour, so that runs stay equally far apart. */
export const STEPS = [5, 10, 15, 20, 30] as const;

const SATURDAY = 6;

const isNumber = (text: string, least: number, most: number): boolean =>
  /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most;

/** Days of a list such as `1,3-5`, where Sunday is 0; null if it is invalid. */
function daysIn(text: string): number[] | null {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const [, first, last] = /^([0-6])(?:-([0-6]))?$/.exec(part) ?? [];
    if (first === undefined || Number(last ?? first) < Number(first)) return null;
    for (let day = Number(first); day <= Number(last ?? first); day += 1) days.add(day);
  }
  return [...days].toSorted((one, other) => one - other);
}

/** `1-5` for days in a row, else `1,3,5`. */
function dayText(days: readonly number[]): string {
  const sorted = [...new Set(days)].toSorted((one, other) => one - other);
  const [first = 0, last = SATURDAY] = [sorted[0], sorted.at(-1)];
  return sorted.length > 2 && last - first === sorted.length - 1 ? `${first}-${last}` : sorted.join(',');
}

/** Which of the usual times a cron is; null for all others. */
export function chosenIn(cron: string): Chosen | null {
  const [minutes = '', hours = '', day = '', month, week = '', ...more] = cron.trim().split(/\s+/);
  if (month !== '*' || more.length > 0) return null;
  const [, step] = /^\*\/(\d+)$/.exec(minutes) ?? [];
  const every = STEPS.find((one) => String(one) === step);
  if (every && hours === '*' && day === '*' && week === '*') return { often: 'minutes', every };
  if (!isNumber(minutes, 0, 59)) return null;
  const minute = Number(minutes);
  if (hours === '*') return day === '*' && week === '*' ? { often: 'hourly', minute } : null;
  if (!isNumber(hours, 0, 23)) return null;
  const at = { minute, hour: Number(hours) };
  if (week === '*') {
    if (day === '*') return { often: 'daily', ...at };
    return isNumber(day, 1, 31) ? { often: 'monthly', ...at, day: Number(day) } : null;
  }
  const days = daysIn(week);
  if (day !== '*' || !days) return null;
  return dayText(days) === '1-5' ? { often: 'weekdays', ...at } : { often: 'weekly', ...at, days };
}

/** The cron of one of the usual times. */
export function getCron(chosen: Chosen): string {
  if (chosen.often === 'minutes') return `*/${chosen.every} * * * *`;
  if (chosen.often === 'hourly') return `${chosen.minute} * * * *`;
  const at = `${chosen.minute} ${chosen.hour}`;
  if (chosen.often === 'weekdays') return `${at} * * 1-5`;
  return 'days' in chosen ? `${at} * * ${dayText(chosen.days)}` : `${at} ${'day' in chosen ? chosen.day : '*'} * *`;
}

/** Another of the usual times, with what was chosen of the one before as far as both have it. */
export function another(often: Often, before: Chosen | null): Chosen {
  const minute = before && 'minute' in before ? before.minute : 30;
  const hour = before && 'hour' in before ? before.hour : 2;
  if (often === 'minutes') return { often, every: 15 };
  if (often === 'hourly') return { often, minute };
  if (often === 'weekly') return { often, minute, hour, days: [1] };
  return often === 'monthly' ? { often, minute, hour, day: 1 } : { often, minute, hour };
}

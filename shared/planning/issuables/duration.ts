const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** A day of work has 8 hours, a week 5 days, a month 4 weeks, as the public API counts them. */
const DAY = 8 * HOUR;
const WEEK = 5 * DAY;
const MONTH = 4 * WEEK;

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['mo', MONTH],
  ['w', WEEK],
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
  ['s', 1],
];

const SECONDS: ReadonlyMap<string, number> = new Map([
  ...UNITS,
  ...['month', 'months', 'mos'].map((name) => [name, MONTH] as const),
  ...['week', 'weeks'].map((name) => [name, WEEK] as const),
  ...['day', 'days'].map((name) => [name, DAY] as const),
  ...['hour', 'hours', 'hr', 'hrs'].map((name) => [name, HOUR] as const),
  ...['minute', 'minutes', 'min', 'mins'].map((name) => [name, MINUTE] as const),
  ...['second', 'seconds', 'sec', 'secs'].map((name) => [name, 1] as const),
]);

/** The limit of the columns: 68 years. */
export const MAX_SECONDS = 2 ** 31 - 1;
/** Longer than any reasonable duration text. */
const MAX_TEXT = 255;
const PART = /(\d{1,10}(?:\.\d{1,6})?) ?([a-z]+)/y;

/**
 * Parses `1w 3d 2h 14m`, `3h30m`, `1.5h`, with `-` in front to subtract; a plain number is hours, as in the public API.
 * @returns seconds, or null for an invalid duration or one above the limit
 */
export function parseDuration(text: string): number | null {
  const input = text.trim().toLowerCase();
  if (input === '' || input.length > MAX_TEXT) return null;
  const negative = input.startsWith('-');
  const amount = (negative ? input.slice(1) : input).trim();
  const seconds = /^\d{1,10}(\.\d{1,6})?$/.test(amount) ? Number(amount) * HOUR : getSum(amount);
  if (seconds === null || seconds > MAX_SECONDS) return null;
  const whole = Math.floor(seconds);
  return negative && whole > 0 ? -whole : whole;
}

function getSum(text: string): number | null {
  let sum = 0;
  for (let at = 0; at < text.length;) {
    PART.lastIndex = at;
    const [part, count = '', unit = ''] = PART.exec(text) ?? [];
    const seconds = SECONDS.get(unit);
    if (part === undefined || seconds === undefined) return null;
    sum += Number(count) * seconds;
    at += part.length;
    while (text[at] === ' ') at += 1;
  }
  return sum;
}

/** Seconds as `1mo 2w 3d 4h 5m`; null for none. */
export function humanDuration(seconds: number): string | null {
  let rest = Math.abs(seconds);
  const parts: string[] = [];
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count}${name}`);
    rest -= count * size;
  }
  if (parts.length === 0) return null;
  return seconds < 0 ? `-${parts.join(' ')}` : parts.join(' ');
}

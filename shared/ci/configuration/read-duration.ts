import type { Value } from '../configuration-model/configuration.types.js';
import { reject } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import type { Reader } from './read-shapes.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds of a week: the longest `start_in`. */
export const WEEK = 7 * DAY;
/** Seconds of a month as a calendar has it on average: the longest `timeout`. */
export const MONTH = 2_629_746;

/** Units and their seconds. A month in a text counts 30 days, a year 365.25. */
const UNITS: readonly [names: string, seconds: number][] = [
  ['s sec secs second seconds', 1],
  ['m min mins minute minutes', MINUTE],
  ['h hr hrs hour hours', HOUR],
  ['d day days', DAY],
  ['w wk wks week weeks', WEEK],
  ['mo mos month months', 30 * DAY],
  ['y yr yrs year years', 365.25 * DAY],
];
const SECONDS: ReadonlyMap<string, number> = new Map(
  UNITS.flatMap(([names, seconds]) => names.split(' ').map((name): [string, number] => [name, seconds])),
);

const LENGTH_LIMIT = 255;
const CLOCK = /^(?:(\d{1,9}):)?(\d{1,9}):(\d{1,9})$/;
const VARIABLE = /\$\{?[A-Za-z_]|%[A-Za-z_]\w*%/;

/**
 * The seconds that a text like `1h 30m`, `3 weeks and 2 days`, `90` or `1:30:00` stands for; null when it is no
 * duration or stands for nothing.
 */
export function parsePeriod(text: string): number | null {
  if (text.length > LENGTH_LIMIT) return null;
  const clock = CLOCK.exec(text.trim());
  const total = clock ? sumClock(clock) : sumUnits(text.toLowerCase());
  return total !== null && Number.isFinite(total) && total > 0 ? total : null;
}

/** Makes a reader of durations in whole seconds, of at most `limit` seconds. */
export function limitDuration(limit: number): Reader<number> {
  return (value, at) => {
    const seconds = typeof value === 'string' ? parsePeriod(value) : null;
    if (seconds === null) return reject(at, 'should be a duration');
    return seconds > limit ? reject(at, 'should not exceed the limit') : Math.ceil(seconds);
  };
}

/** Reads how long something stays: a duration or `never`, as it is written. */
export function readExpiry(value: Value, at: KeywordScope): string | undefined {
  if (typeof value === 'string' && (value.toLowerCase() === 'never' || parsePeriod(value) !== null)) return value;
  return reject(at, 'should be a duration');
}

/** As `readExpiry`; a text with variables is allowed too, since only their values tell. */
export function readVariableExpiry(value: Value, at: KeywordScope): string | undefined {
  if (typeof value === 'string' && value.length <= LENGTH_LIMIT && VARIABLE.test(value)) return value;
  return readExpiry(value, at);
}

function sumClock([, hours, minutes, seconds]: RegExpExecArray): number {
  return Number(hours ?? 0) * HOUR + Number(minutes) * MINUTE + Number(seconds);
}

/** Adds up numbers with their units; a number without one is in seconds. Null when something else stands there. */
function sumUnits(text: string): number | null {
  const words = text.match(/\d+(?:\.\d+)?|[a-z]+|[^\s,]/g) ?? [];
  let total = 0;
  let amount: number | null = null;
  for (const word of words) {
    if (word === 'and') continue;
    if (/^\d/.test(word)) {
      total += amount ?? 0;
      amount = Number(word);
      continue;
    }
    const seconds = SECONDS.get(word);
    if (seconds === undefined || amount === null) return null;
    total += amount * seconds;
    amount = null;
  }
  return total + (amount ?? 0);
}

import { CronExpressionParser } from 'cron-parser';
import { LRUCache } from 'lru-cache';
import { canonical, spellOut, type SpelledField } from './cron-spelling.js';

/** A cron expression ready for calculation. Day masks have bit `day - 1`, months bit `month` (1-12), weekdays bit 0 (Sunday) to 6. */
export interface CronExpression {
  /** Matching minutes of a day (0-1439), ascending. */
  readonly times: readonly number[];
  /** Names fixed local times, which run once a day; else it follows elapsed time. See `parseCron`. */
  readonly fixed: boolean;
  readonly months: number;
  readonly daysOfMonth: number;
  readonly lastDayOfMonth: boolean;
  readonly weekdays: number;
  /** Index n (1-5): the weekdays that match on their nth time in the month. */
  readonly nthWeekdays: readonly number[];
  /** The weekdays that match on their last time in the month. */
  readonly lastWeekdays: number;
  /** False when the field allows every day; both true: a day that matches either one matches. */
  readonly byDayOfMonth: boolean;
  readonly byWeekday: boolean;
}

/** `syntax`: not a cron expression. `never`: well formed, but no calendar has such a day (30 February). `message` follows the field's name. */
export type ParsedCron =
  | { readonly ok: true; readonly cron: CronExpression }
  | { readonly ok: false; readonly reason: 'syntax' | 'never'; readonly message: string };

const SYNTAX: ParsedCron = { ok: false, reason: 'syntax', message: 'syntax is invalid' };
const NEVER: ParsedCron = { ok: false, reason: 'never', message: 'never runs: none of its months has such a day' };

const MAX_LENGTH = 1024;
const MAX_CACHED = 10_000;
const LONGEST_MONTH = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const cache = new LRUCache<string, ParsedCron>({ max: MAX_CACHED });

/**
 * Reads a five-field cron expression (pipeline-schedules.md section 4), surrounding blanks ignored. Results are cached.
 *
 * - Accepted: numbers, names in any case, lists, ranges (also wrapping ones such as `22-4`), steps, `L` or `last` as the last day of the
 *   month, `5L` or `5#L` as the last Friday, `1#2` as the second Monday, 0 and 7 as Sunday, and the macros of the public server
 *   (`@daily` and its kin), because clients written for it send them.
 * - Refused: six fields, descriptions ("every day"), values out of range, `H` and `?` of other dialects.
 * - A day field that allows every value counts as `*`, however written. With both day fields restricted, either one suffices.
 * - An expression is *fixed* (contract decision 6) when neither minute nor hour begins an item with `*` or allows every value:
 *   `30 2 * * *` and `0,30 1-3 * * *` are fixed, `0 * * * *`, `* 2 * * *` and `0 *\/2 * * *` follow elapsed time.
 */
export function parseCron(expression: string): ParsedCron {
  const cachedCron = cache.get(expression);
  if (cachedCron) return cachedCron;
  if (expression.length > MAX_LENGTH) return SYNTAX;
  const parsed = parse(expression);
  cache.set(expression, parsed);
  return parsed;
}

function parse(expression: string): ParsedCron {
  const fields = spellOut(expression);
  if (!fields) return SYNTAX;
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields as [
    SpelledField,
    SpelledField,
    SpelledField,
    SpelledField,
    SpelledField,
  ];
  const never = hasNoDay(dayOfMonth, month, dayOfWeek);
  const texts = [minute, hour, dayOfMonth, month].map(canonical);
  // The library has no word for an impossible date, so the other fields are judged without it.
  if (never) texts[2] = '*';
  const read = readFields(texts, dayOfWeek);
  if (!read) return SYNTAX;
  if (never) return NEVER;
  const fixed = isFixed(minute) && isFixed(hour);
  return { ok: true, cron: { ...read, fixed, byDayOfMonth: !dayOfMonth.all, byWeekday: !dayOfWeek.all } };
}

function isFixed(field: SpelledField): boolean {
  return !field.starred && !field.all;
}

function hasNoDay(dayOfMonth: SpelledField, month: SpelledField, dayOfWeek: SpelledField): boolean {
  if (dayOfMonth.others.length > 0 || month.others.length > 0 || canonical(dayOfWeek) !== '*') return false;
  const longest = Math.max(...[...month.values].map((value) => LONGEST_MONTH[value]!));
  return Math.min(...dayOfMonth.values) > longest;
}

/** The library knows one `#` per expression, alone in its field; a list of them is read one by one. */
function readFields(texts: readonly string[], dayOfWeek: SpelledField) {
  const nths = dayOfWeek.others.filter((item) => item.includes('#'));
  const rest = { ...dayOfWeek, others: dayOfWeek.others.filter((item) => !item.includes('#')) };
  const plain = rest.values.size > 0 || rest.others.length > 0;
  const read = readOne([...texts, plain ? canonical(rest) : nths[0]!].join(' '));
  if (!read) return null;
  const nthWeekdays = [0, 0, 0, 0, 0, 0];
  for (const nth of nths) {
    const one = readOne(`0 0 * * ${nth}`);
    if (!one) return null;
    nthWeekdays[one.nth]! |= one.weekdays;
  }
  const { nth: _, ...fields } = read;
  return { ...fields, weekdays: plain ? fields.weekdays : 0, nthWeekdays };
}

function readOne(text: string) {
  const fields = libraryFields(text);
  if (!fields) return null;
  const lasts = fields.dayOfWeek.values.filter((value) => typeof value === 'string');
  return {
    times: fields.hour.values.flatMap((hour) => fields.minute.values.map((minute) => hour * 60 + minute)),
    months: mask(fields.month.values),
    daysOfMonth: mask(numbersIn(fields.dayOfMonth.values).map((day) => day - 1)),
    lastDayOfMonth: fields.dayOfMonth.hasLastChar,
    // For "*" the library lists Sunday as 0 and as 7.
    weekdays: mask(numbersIn(fields.dayOfWeek.values).map((day) => day % 7)),
    lastWeekdays: mask(lasts.map((value) => Number.parseInt(value, 10) % 7)),
    nth: fields.dayOfWeek.nthDay,
  };
}

function libraryFields(text: string) {
  try {
    // A fixed date, only so that the library does not read the system clock.
    return CronExpressionParser.parse(text, { currentDate: new Date(0), tz: 'UTC' }).fields;
  } catch {
    return null;
  }
}

function numbersIn(values: readonly (number | string)[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

function mask(bits: readonly number[]): number {
  return bits.reduce((sum, bit) => sum | (1 << bit), 0);
}

/** The values a field accepts, and their three-letter names (the first name represents `min`). */
interface FieldValues {
  min: number;
  max: number;
  names: readonly string[];
}

/** One field after spelling out: the numbers it lists, and the items that are not plain numbers (`L`, `5L`, `1#2`, or nonsense). */
export interface SpelledField {
  values: ReadonlySet<number>;
  others: readonly string[];
  /** Every value is allowed, however that was written: `*`, a step of 1, or the whole range. */
  all: boolean;
  /** Some item begins with `*`. */
  starred: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** In the order of the fields of an expression. */
const FIELDS: readonly FieldValues[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: WEEKDAYS },
];

/** The macros of the public server. `@reboot` and the seconds-based ones of other libraries have no meaning for a schedule. */
const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@noon': '0 12 * * *',
  '@hourly': '0 * * * *',
};

const ITEM = /^([^-/#]+)(?:-([^-/#]+))?(?:\/(\d+))?(?:#([^-/#]+))?$/;

/**
 * Splits a cron expression into its five fields and expands each into numbers, so that syntax which the public server
 * accepts but the cron library rejects is supported: wrapping ranges (`22-4`, `fri-mon`), duplicate values (`1-5,3`),
 * `last`, and names in any case. The library validates the rest. Returns null unless there are exactly five fields.
 */
export function spellOut(expression: string): SpelledField[] | null {
  const trimmed = expression.trim();
  const texts = (Object.hasOwn(MACROS, trimmed) ? MACROS[trimmed]! : trimmed).split(/\s+/);
  if (texts.length !== FIELDS.length) return null;
  return FIELDS.map((field, index) => spellField(texts[index]!, field));
}

/** The field as the library reads it. */
export function canonical(field: SpelledField): string {
  if (field.all && field.others.length === 0) return '*';
  const numbers = [...field.values].sort((a, b) => a - b);
  return [...numbers, ...field.others].join(',');
}

function spellField(text: string, field: FieldValues): SpelledField {
  const values = new Set<number>();
  const others = new Set<string>();
  const items = text.split(',');
  for (const item of items) {
    const match = ITEM.exec(item);
    const [from, to, step, nth] = [match?.[1], match?.[2], match?.[3], match?.[4]];
    const first = from === undefined ? null : spellValue(from, field);
    const last = to === undefined ? undefined : spellValue(to, field);
    // An item the library must judge keeps its own text, which no rule of the library lets pass unless it is legal.
    const numbers = first === null || last === null || nth !== undefined ? null : expand(first, last, step, field);
    if (numbers) for (const number of numbers) values.add(number);
    else others.add((to ?? step) === undefined && first !== null ? spellSpecial(first, nth) : spellIllegal(item));
  }
  return {
    values,
    others: [...others],
    all: values.size === field.max - field.min + 1,
    starred: items.some((item) => item.startsWith('*')),
  };
}

/** `7`, `mon`, `5L`, `monL`, `L`, `last`, `*` -> number or special in the library's spelling; null when it is no such word. */
function spellValue(text: string, field: FieldValues): string | null {
  if (text === '*' || /^\d{1,3}$/.test(text)) return text;
  if (/^(?:l|last)$/i.test(text)) return 'L';
  if (/^\d{1,3}l$/i.test(text)) return text.toUpperCase();
  const name = /^([a-z]{3})(l?)$/i.exec(text);
  const index = name ? field.names.indexOf(name[1]!.toLowerCase()) : -1;
  return index < 0 ? null : `${index + field.min}${name![2]!.toUpperCase()}`;
}

/** `1` with nth `2` -> `1#2`; with nth `L` or `last` -> `1L`. */
function spellSpecial(value: string, nth: string | undefined): string {
  if (nth === undefined) return value;
  if (!/^\d$/.test(value)) return spellIllegal(`${value}#${nth}`);
  return /^(?:l|last)$/i.test(nth) ? `${value}L` : `${value}#${nth}`;
}

/**
 * Text that the library always rejects: it would accept `?`, `H` and names inside words, which are not valid cron here.
 */
function spellIllegal(item: string): string {
  return `!${item}`;
}

/** The numbers of `from`, `from/step`, `from-to` or `from-to/step`; null when a part is no number or out of range. */
function expand(from: string, to: string | undefined, step: string | undefined, field: FieldValues): number[] | null {
  const size = field.max - field.min + 1;
  const weekdays = field.names === WEEKDAYS;
  const top = weekdays ? 7 : field.max;
  if (from === '*' && to !== undefined) return null;
  let first = from === '*' ? field.min : Number(from);
  let last = to !== undefined ? Number(to) : from === '*' || step !== undefined ? field.max : first;
  const every = step === undefined ? 1 : Number(step);
  if (!(first >= field.min && first <= top && last >= field.min && last <= top && every >= 1)) return null;
  // 7 is Sunday, at the end of a range as well as at its start.
  if (weekdays && first === 7) {
    first = 0;
    if (last === 7) last = 0;
  }
  if (last < first) last += size;
  const numbers: number[] = [];
  for (let value = first; value <= last; value += every) numbers.push(field.min + ((value - field.min) % size));
  return numbers;
}

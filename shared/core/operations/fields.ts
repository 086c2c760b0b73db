import { z } from 'zod';
import { StoredFile } from '../stored-files/storing.js';
import { Upload } from '../values/upload.js';

/**
 * Parameters as the API reads them (rest-conventions.md section 1): numbers and booleans arrive as text from
 * queries and forms, arrays and hashes in several notations. Each field's `meta` describes it in OpenAPI.
 */

const isEmpty = (value: unknown) => value === '' || value === null;

/** A parameter that may be left out; for all but text, `""` and null count as left out. */
export function optional<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (isEmpty(value) ? undefined : value), schema.optional()).meta(schema.meta() ?? {});
}

/** A parameter other than text that may be left out (undefined) or cleared: `""` and null give null. */
export function clearable<S extends z.ZodType>(schema: S) {
  return z
    .preprocess((value) => (isEmpty(value) ? null : value), schema.nullable().optional())
    .meta(schema.meta() ?? {});
}

/** A parameter with a default; `""` and null take it too. */
export function withDefault<S extends z.ZodType>(schema: S, fallback: z.output<S>) {
  return z
    .preprocess((value) => (isEmpty(value) ? undefined : value), schema.optional())
    .transform((value) => (value === undefined ? fallback : value) as z.output<S>)
    .meta({ ...schema.meta(), default: fallback });
}

/** PostgreSQL cannot store NUL, nor half a surrogate pair. */
const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed();

const asText = (value: unknown) => {
  if (value === null) return '';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

/** Text. An empty one is a value; null counts as empty. */
export const text = () => z.preprocess(asText, z.string().refine(isStorable, 'is invalid')).meta({ type: 'string' });

/** Text that must not be blank: else `ref is empty`. */
export const presentText = () =>
  z
    .preprocess(
      asText,
      z
        .string()
        .refine(isStorable, 'is invalid')
        .refine((value) => value.trim() !== '', 'is empty'),
    )
    .meta({ type: 'string', minLength: 1 });

/** Text that may be left out or cleared: null stays null. */
export const clearableText = () =>
  z
    .preprocess(
      (value) => (value === null ? null : asText(value)),
      z.string().refine(isStorable, 'is invalid').nullable().optional(),
    )
    .meta({ type: ['string', 'null'] });

/**
 * A whole number beyond 2^53 becomes the last one below it: larger than any id or count that there is, so that it
 * matches nothing, and never more than the database reads.
 */
function withinReach(value: number): number {
  return Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

function asInteger(value: unknown): unknown {
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) return withinReach(Number(value));
  return typeof value === 'number' && Number.isInteger(value) ? withinReach(value) : value;
}

/** A whole number, as a JSON number or digits. */
export const integer = () =>
  z.preprocess(asInteger, z.number().refine(Number.isInteger, 'is invalid')).meta({ type: 'integer' });

/** A whole number from `low` to the maximum of a 32-bit column; else `max_artifacts_size is invalid`. */
export const wholeNumber = (low: number, high = 2 ** 31 - 1) =>
  integer()
    .refine((value) => value >= low && value <= high, 'is invalid')
    .meta({ type: 'integer', minimum: low, maximum: high });

/** A number, also with a fraction, as a JSON number or decimal text. */
export const decimal = () =>
  z
    .preprocess(
      (value) => (typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
      z.number().refine((value) => Number.isFinite(value), 'is invalid'),
    )
    .meta({ type: 'number' });

function asFlag(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return value;
  if (/^(true|t|yes|y|on|1)$/i.test(value)) return true;
  if (/^(false|f|no|n|off|0)$/i.test(value)) return false;
  return value;
}

/** A boolean, read leniently. */
export const boolean = () => z.preprocess(asFlag, z.boolean()).meta({ type: 'boolean' });

/** One of a fixed list of values; else `scope does not have a valid value`. */
export const oneOf = <const V extends readonly string[]>(values: V) =>
  z.preprocess(asText, z.enum(values)).meta({ type: 'string', enum: [...values] });

/** One of a fixed list of whole numbers, such as access levels. */
export const oneOfIntegers = (values: readonly number[]) =>
  z.preprocess(asInteger, z.literal([...values])).meta({ type: 'integer', enum: [...values] });

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?:(:\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** `+02`, `+0200` and `+02:00` to the last of these; nothing, `Z` and `UTC` to `Z`. */
function getOffset(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}

function asInstant(value: unknown): unknown {
  const parts = typeof value === 'string' ? INSTANT.exec(value) : null;
  if (!parts) return value;
  const [, day = '', time = '00:00', seconds = ':00', fraction = '0', zone = ''] = parts;
  const instant = new Date(`${day}T${time}${seconds}.${fraction.slice(0, 3)}${getOffset(zone)}`);
  return Number.isNaN(instant.getTime()) || !isCalendarDay(day) ? value : instant;
}

/** Whether `YYYY-MM-DD` names a day that exists: JavaScript takes 30 February for 2 March. */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** An instant in ISO 8601; a bare date is its midnight, UTC. */
export const instant = () => z.preprocess(asInstant, z.date()).meta({ type: 'string', format: 'date-time' });

/** A day, `YYYY-MM-DD`, stored as text. */
export const day = () =>
  z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? value.slice(0, 10) : value),
      z.string().refine((value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && isCalendarDay(value), 'is invalid'),
    )
    .meta({ type: 'string', format: 'date' });

/** `a[0]=v`, `a[0][k]=v` and `{"0": {…}}` are arrays written as hashes. */
export function asArray(value: unknown): unknown {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const keys = Object.keys(value);
    if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key)))
      return keys.sort((a, b) => Number(a) - Number(b)).map((key) => (value as Record<string, unknown>)[key]);
  }
  return value;
}

/** A list. With `commas`, a comma-separated text is accepted too. */
export const list = <S extends z.ZodType>(item: S, options: { commas?: boolean; max?: number } = {}) =>
  z
    .preprocess(
      (value) => {
        if (options.commas && typeof value === 'string')
          return value
            .split(',')
            .map((part) => part.trim())
            .filter((part) => part !== '');
        if (value === '' || value === null) return [];
        return asArray(value);
      },
      options.max ? z.array(item).max(options.max) : z.array(item),
    )
    .meta({ type: 'array', items: z.toJSONSchema(item, { io: 'input', unrepresentable: 'any' }) });

/** A hash with declared keys. */
export const object = <S extends z.ZodRawShape>(serializer: S) => z.object(serializer);

/**
 * A hash of texts with free keys, such as `custom_attributes[key]=value`, as its pairs: among them may be names that
 * mean something to JavaScript's own hashes, such as `__proto__`.
 */
export const textHash = () =>
  z
    .unknown()
    .transform((value, ctx): [string, string][] => {
      const invalid = (input: unknown, ...path: string[]) =>
        ctx.addIssue({ code: 'custom', message: 'is invalid', input, path });
      if (value === null || typeof value !== 'object' || Array.isArray(value)) invalid(value);
      else
        return Object.entries(value).flatMap(([key, rawItem]) => {
          const read = text().safeParse(rawItem);
          if (read.success && isStorable(key)) return [[key, read.data]];
          if (isStorable(key)) invalid(rawItem, key);
          else invalid(value);
          return [];
        });
      return z.NEVER;
    })
    .meta({ type: 'object', additionalProperties: { type: 'string' } });

/** A file of a multipart request. */
export const upload = () => z.instanceof(Upload, { error: 'is invalid' }).meta({ type: 'string', format: 'binary' });

/** A file that an operation takes as a stream, by its `upload` rule. */
export const storedFile = () =>
  z.instanceof(StoredFile, { error: 'is invalid' }).meta({ type: 'string', format: 'binary' });

/** Any JSON value, unchanged. */
export const anything = () =>
  z
    .unknown()
    .refine((value) => value !== undefined, 'is missing')
    .meta({});

/** How a list that offers keyset paging is paged. */
export const paginationParam = optional(oneOf(['offset', 'legacy', 'keyset'])).describe(
  'Pagination method; `keyset` for keyset pagination.',
);

import { showSecret } from '../bytes/answer-bytes.js';
import type { Context } from '../context/context.js';
import type { Load } from '../context/loads.js';
import { DeclaredSerializer } from './declared-serializer.js';
import type { OutField, Serializer, View } from './serializer.types.js';

export type { OutField, Serializer, View };

type Fields<T> = Record<string, OutField<T>>;

interface SerializerOptions<T> {
  loads?: readonly Load<T>[];
  views?: Record<string, View<T>>;
}

const declarations = new WeakMap<object, DeclaredSerializer<never>>();

/**
 * Extends the serializer of a record from a higher domain: fields after its own, and their loads. A domain calls this
 * where its registry is created, before any record is serialized.
 */
export function extendSerializer<T>(serializer: Serializer<T>, fields: Fields<T>, loads: readonly Load<T>[]): void {
  (declarations.get(serializer) as DeclaredSerializer<T>).extend(fields, loads);
}

/** Declares what callers see of a record. */
export function serializer<T>(
  name: string,
  fields: Fields<T>,
  { loads = [], views = {} }: SerializerOptions<T> = {},
): Serializer<T> {
  const declared = new DeclaredSerializer(name, { ...fields }, [...loads], views);
  declarations.set(declared.plain, declared);
  return declared.plain;
}

/** Loads and presents one record. */
export async function presentOne<T>(ctx: Context, serializer: Serializer<T>, record: T): Promise<unknown> {
  await serializer.load(ctx, [record]);
  return serializer.present(record, ctx);
}

/** The same fields, left out where `condition` does not hold for the caller and the record. */
export function visibleIf<T>(
  condition: (record: T, ctx: Context) => boolean,
  fields: Record<string, OutField<T>>,
): Record<string, OutField<T>> {
  const gated = Object.entries(fields).map(([key, { get, schema, view, secret }]) => [
    key,
    {
      get: (record: T, ctx: Context) => (condition(record, ctx) ? get(record, ctx) : undefined),
      schema,
      optional: true,
      ...(view === undefined ? {} : { view }),
      ...(secret ? { secret } : {}),
      guard: condition,
      open: get,
    },
  ]);
  return Object.fromEntries(gated) as Record<string, OutField<T>>;
}

/** The same fields, visible in one view of their serializer only. */
export function inView<T>(view: string, fields: Record<string, OutField<T>>): Record<string, OutField<T>> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, { ...field, optional: true, view }]),
  ) as Record<string, OutField<T>>;
}

type Get<T, V> = (record: T, ctx: Context) => V;
interface Details {
  description?: string;
  optional?: boolean;
  enum?: readonly unknown[];
  /** Answers that show its value are not compressed. */
  secret?: true;
}

function field<T>(get: Get<T, unknown>, schema: Record<string, unknown>, details: Details): OutField<T> {
  const { optional, secret, ...described } = details;
  return {
    get: secret ? (record, ctx) => showSecret(get(record, ctx)) : get,
    schema: { ...schema, ...described },
    ...(optional ? { optional } : {}),
    ...(secret ? { secret } : {}),
  };
}

const orNull = (type: string) => ({ type: [type, 'null'] });

/** Builders of public fields, by JSON type; `nullable…` may also be null. */
export const out = {
  integer: <T>(get: Get<T, number | undefined>, details: Details = {}) => field<T>(get, { type: 'integer' }, details),
  nullableInteger: <T>(get: Get<T, number | null | undefined>, details: Details = {}) =>
    field<T>(get, orNull('integer'), details),
  number: <T>(get: Get<T, number | null | undefined>, details: Details = {}) =>
    field<T>(get, orNull('number'), details),
  text: <T>(get: Get<T, string | undefined>, details: Details = {}) => field<T>(get, { type: 'string' }, details),
  nullableText: <T>(get: Get<T, string | null | undefined>, details: Details = {}) =>
    field<T>(get, orNull('string'), details),
  boolean: <T>(get: Get<T, boolean | undefined>, details: Details = {}) => field<T>(get, { type: 'boolean' }, details),
  nullableFlag: <T>(get: Get<T, boolean | null | undefined>, details: Details = {}) =>
    field<T>(get, orNull('boolean'), details),
  instant: <T>(get: Get<T, Date | undefined>, details: Details = {}) =>
    field<T>((record, ctx) => get(record, ctx)?.toISOString(), { type: 'string', format: 'date-time' }, details),
  nullableInstant: <T>(get: Get<T, Date | null | undefined>, details: Details = {}) =>
    field<T>(
      (record, ctx) => {
        const value = get(record, ctx);
        return value ? value.toISOString() : value;
      },
      { type: ['string', 'null'], format: 'date-time' },
      details,
    ),
  nullableDay: <T>(get: Get<T, string | null | undefined>, details: Details = {}) =>
    field<T>(get, { type: ['string', 'null'], format: 'date' }, details),
  texts: <T>(get: Get<T, readonly string[] | undefined>, details: Details = {}) =>
    field<T>(get, { type: 'array', items: { type: 'string' } }, details),
  any: <T>(get: Get<T, unknown>, schema: Record<string, unknown> = {}, details: Details = {}) =>
    field<T>(get, schema, details),
  record: <T, C>(serializer: Serializer<C>, get: Get<T, C | undefined>, details: Details = {}) =>
    field<T>(
      (record, ctx) => {
        const child = get(record, ctx);
        return child === undefined ? undefined : serializer.present(child, ctx);
      },
      { $ref: `#/components/schemas/${serializer.name}`, 'x-serializer': serializer },
      details,
    ),
  nullableRecord: <T, C>(serializer: Serializer<C>, get: Get<T, C | null | undefined>, details: Details = {}) =>
    field<T>(
      (record, ctx) => {
        const child = get(record, ctx);
        return child ? serializer.present(child, ctx) : child;
      },
      { anyOf: [{ $ref: `#/components/schemas/${serializer.name}` }, { type: 'null' }], 'x-serializer': serializer },
      details,
    ),
  records: <T, C>(serializer: Serializer<C>, get: Get<T, readonly C[] | undefined>, details: Details = {}) =>
    field<T>(
      (record, ctx) => get(record, ctx)?.map((child) => serializer.present(child, ctx)),
      { type: 'array', items: { $ref: `#/components/schemas/${serializer.name}` }, 'x-serializer': serializer },
      details,
    ),
};

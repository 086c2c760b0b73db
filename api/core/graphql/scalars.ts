import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';
import type { z } from 'zod';
import { day, instant } from '../../../shared/core/operations/fields.js';

/** A scalar that is text on the wire and reads it by the same rule as the parameters of REST. */
function textScalar<T>(name: string, description: string, schema: z.ZodType<T>, write: (value: T) => string) {
  const parse = (value: unknown): T => {
    const result = typeof value === 'string' ? schema.safeParse(value) : undefined;
    if (!result?.success) throw new GraphQLError(`"${String(value)}" is not a valid ${name}`);
    return result.data;
  };
  return new GraphQLScalarType<T, string>({
    name,
    description,
    serialize: (value) => (typeof value === 'string' ? value : write(value as T)),
    parseValue: parse,
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null),
  });
}

/** An instant. Input may have any precision and offset; output has milliseconds and is UTC. */
export const Time = textScalar(
  'Time',
  'An instant in ISO 8601, UTC, with milliseconds: "2026-01-02T03:04:05.000Z".',
  instant() as z.ZodType<Date>,
  (value) => value.toISOString(),
);

/** A day of the calendar. */
export const CalendarDate = textScalar(
  'Date',
  'A day in ISO 8601: "2026-01-02".',
  day() as z.ZodType<string>,
  (value) => value,
);

/** Midnight, UTC, of a day. */
export const midnight = (day: unknown): Date | null => (typeof day === 'string' ? new Date(`${day}T00:00:00Z`) : null);

/** The same under the name that inputs of issues have it by. */
export const ISO8601Date = textScalar(
  'ISO8601Date',
  'A day in ISO 8601: "2026-01-02".',
  day() as z.ZodType<string>,
  (value) => value,
);

/** Time that something took. */
export const Duration = new GraphQLScalarType<number, number>({
  name: 'Duration',
  description: 'Time between two instants, in seconds, with fractions: 12.5.',
  serialize: Number,
  parseValue: (value) => {
    if (typeof value !== 'number') throw new GraphQLError(`"${String(value)}" is not a valid Duration`);
    return value;
  },
});

/** A scalar that carries JSON of certain kinds as it is. */
export function jsonScalar(name: string, description: string, accepts: (value: unknown) => boolean) {
  const parse = (value: unknown) => {
    if (!accepts(value)) throw new GraphQLError(`${JSON.stringify(value)} is not a valid ${name}`);
    return value;
  };
  return new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node, variables) => parse(valueFromASTUntyped(node, variables)),
  });
}

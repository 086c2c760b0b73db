import { sql } from 'kysely';
import type { AliasedRawBuilder, Expression, RawBuilder, SqlBool } from 'kysely';

/*
 * What Kysely's builder of expressions has no word for.
 */

/** Types of PostgreSQL that arrays of values are sent as. */
type ElementType = 'bigint' | 'boolean' | 'bytea' | 'date' | 'int' | 'jsonb' | 'text' | 'timestamptz' | 'uuid';

/** Values, or an expression for them as in prepared queries. */
type Values<T> = readonly T[] | Expression<readonly T[]>;

/** Values as an array of the server's: `$1::bigint[]`. */
export const arrayOf = <T>(values: Values<T>, type: ElementType): RawBuilder<T[]> =>
  sql<T[]>`${values}::${sql.raw(type)}[]`;

/** For `=`: any of the values, which are sent as one parameter, so that their number does not change the text. */
export const anyOf = <T>(values: Values<T>, type: ElementType): RawBuilder<T> => sql<T>`any(${arrayOf(values, type)})`;

/** For `<>` and `like`: all of the values, sent as one parameter. */
export const allOf = <T>(values: Values<T>, type: ElementType): RawBuilder<T> => sql<T>`all(${arrayOf(values, type)})`;

/** A query of one column as an array, which the server computes once, and for which it can use an index. */
export const arrayFrom = <T>(query: Expression<T>): RawBuilder<T extends object ? T[keyof T][] : T[]> =>
  sql`array(${query})`;

/** For `=`: any element of an array. */
export const anyIn = <T>(array: Expression<T[]>): RawBuilder<T> => sql<T>`any(${array})`;

/** A constant of ours in the text of a statement: an index on a condition serves it only there. Never a caller's value. */
export const constant = <T extends string | number | boolean | null>(value: T): RawBuilder<T> => sql.lit(value);

/** That texts are the same whatever their case, as the indexes over `lower(…)` find them. */
export const sameText = (one: Expression<string | null>, other: Expression<string> | string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${one}) = lower(${other})`;

/** The day of an instant, UTC. */
export const selectUtcDay = (instant: Expression<Date | null>): RawBuilder<string> =>
  sql<string>`(${instant} at time zone 'UTC')::date`;

/** The seconds from one instant to another. */
export const secondsBetween = (from: Expression<Date | null>, to: Expression<Date | null>): RawBuilder<number> =>
  sql<number>`extract(epoch from ${to} - ${from})::float8`;

/** That an instant is within a day, `2026-01-31`, UTC. */
export function isOnDay(instant: Expression<Date | null>, day: Expression<string> | string): RawBuilder<SqlBool> {
  const midnight = (later: number) => sql<Date>`((${day}::date + ${sql.lit(later)})::timestamp at time zone 'UTC')`;
  return sql<SqlBool>`(${instant} >= ${midnight(0)} and ${instant} < ${midnight(1)})`;
}

/** That an array holds an element of another one. */
export const overlaps = <T>(one: Expression<T[]>, other: Expression<T[]>): RawBuilder<SqlBool> =>
  sql<SqlBool>`${one} && ${other}`;

/** That an array holds one value. */
export const contains = <T>(array: Expression<T[]>, value: Expression<T>): RawBuilder<SqlBool> =>
  sql<SqlBool>`${array} @> array[${value}]`;

/** A value, or an expression for it, as one of a type of the server's. */
export const cast = <T>(value: T | Expression<T>, type: ElementType): RawBuilder<T> =>
  sql<T>`cast(${value} as ${sql.raw(type)})`;

/** The position of a value in a list of values, starting at 1; null if it is not in the list. */
export const arrayPosition = <T>(
  values: Values<T>,
  type: ElementType,
  value: Expression<T | null>,
): RawBuilder<number | null> => sql<number | null>`array_position(${arrayOf(values, type)}, ${value})`;

/** A query of one column and at most one row as a value; null where there is no row. */
export const scalar = <T>(query: Expression<Record<string, T>>): RawBuilder<T> => sql<T>`${query}`;

/** A query as a table, in brackets. */
export const asTable = <Row>(query: Expression<Row>): RawBuilder<Row> => sql<Row>`${query}`;

/** Values as rows of one column, `value`. */
export const unnested = <T>(values: Values<T>, type: ElementType) => ({
  /** @param alias of the rows */
  as: <const Alias extends string>(alias: Alias): AliasedRawBuilder<{ value: T }, Alias> =>
    sql<{ value: T }>`unnest(${arrayOf(values, type)})`.as<Alias>(sql`${sql.ref(alias)}(value)`),
});

/** Columns of values, or expressions for them, as rows of a query: a parameter for each, however many rows there are. */
export function unnestedColumns<Row extends object>(columns: {
  readonly [Column in keyof Row]: readonly [values: Values<Row[Column]>, type: ElementType];
}) {
  const entries = Object.entries(columns) as [string, readonly [Values<unknown>, ElementType]][];
  const arrays = sql.join(entries.map(([, [values, type]]) => arrayOf(values, type)));
  const aliased = (alias: string, ...more: string[]) => {
    const names = [...entries.map(([name]) => name), ...more];
    return sql`${sql.ref(alias)}(${sql.join(names.map((name) => sql.ref(name)))})`;
  };
  return {
    /** @param alias of the rows */
    as: <const Alias extends string>(alias: Alias): AliasedRawBuilder<Row, Alias> =>
      sql<Row>`unnest(${arrays})`.as<Alias>(aliased(alias)),
    /** The same, with the position of each row, from 1, as `position`. */
    withPositionAs: <const Alias extends string>(alias: Alias): AliasedRawBuilder<Row & { position: number }, Alias> =>
      sql<Row & { position: number }>`unnest(${arrays}) with ordinality`.as<Alias>(aliased(alias, 'position')),
  };
}

/**
 * Some columns of rows as rows of the server's: each column is sent as one array.
 * @param types of these columns
 */
export const unnestedRows = <Row, Name extends keyof Row & string>(
  rows: readonly Row[],
  types: Readonly<Record<Name, ElementType>>,
) =>
  unnestedColumns<Pick<Row, Name>>(
    Object.fromEntries(
      Object.entries<ElementType>(types).map(([name, type]) => [
        name,
        [rows.map((row) => row[name as Name]), type] as const,
      ]),
    ) as { readonly [Column in Name]: readonly [Row[Column][], ElementType] },
  );

/** The default of a column, or the value of a generated column, for an `insert`. */
export const byDefault = <T>(): RawBuilder<T> => sql<T>`default`;

/** So many seconds after an instant. */
export const secondsAfter = <T extends Date | null>(
  instant: Expression<T>,
  seconds: number | Expression<number>,
): RawBuilder<T> => sql<T>`(${instant} + ${seconds} * interval '1 second')`;

/**
 * Records of a JSON text as rows of a query, where arrays would not do: rows of arrays, or of JSON.
 * @param types of their columns
 */
export const jsonRows = <Row extends object>(
  json: string | Expression<string>,
  types: { readonly [Column in keyof Row & string]-?: ElementType | 'smallint' | 'text[]' },
) => ({
  /** @param alias of the rows */
  as: <const Alias extends string>(alias: Alias): AliasedRawBuilder<Row, Alias> => {
    const columns = Object.entries<string>(types).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    return sql<Row>`jsonb_to_recordset(${json}::jsonb)`.as<Alias>(sql`${sql.ref(alias)}(${sql.join(columns)})`);
  },
});

/** Escapes `%`, `_` and `\`, for use inside `like '%' || … || '%'`. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);

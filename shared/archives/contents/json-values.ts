import { expressionBuilder, sql } from 'kysely';
import type { AliasableExpression, AliasedExpression, Expression, Selectable } from 'kysely';
import { constant } from '../../core/database/expressions.js';
import type { MatchingQuery } from '../../core/database/list.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import type { ArchiveAttributes } from '../format/attributes.js';

/** Queries of the tables that archives are written from. */
export const db = expressionBuilder<ArchivesDatabase>();

/** An expression for each attribute of an object, by its name. */
export type AttributeValues = Readonly<Record<string, Expression<unknown>>>;

type Json = AliasableExpression<unknown>;

const selected = (values: AttributeValues): AliasedExpression<unknown, string>[] =>
  Object.entries(values).map(([name, value]) => sql`${value}`.as(name));

/**
 * The values in the order of the format.
 * @throws Error where an attribute has no value, or a value no attribute: a mistake in a reader
 */
function inOrder(attributes: ArchiveAttributes, values: AttributeValues): AttributeValues {
  const names = Object.keys(attributes);
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(attributes, name));
  const missing = names.filter((name) => !Object.hasOwn(values, name));
  if (unknown.length + missing.length > 0)
    throw new Error(`Attributes without a value: ${missing.join()}; values without an attribute: ${unknown.join()}`);
  return Object.fromEntries(names.map((name) => [name, values[name] as Expression<unknown>]));
}

/** Values as an object, in their order. */
export const plainObject = (values: AttributeValues): Json =>
  db
    .selectFrom(sql`(select ${sql.join(selected(values))})`.as('o'))
    .select(({ fn }) => fn.toJson('o').as('json'))
    .$asScalar();

/** The only row of a query as an object, in the order of its values; null where there is none. */
export const plainRow = (values: AttributeValues, rows: MatchingQuery): Json =>
  db
    .selectFrom(rows.select(selected(values)).as('o'))
    .select(({ fn }) => fn.toJson('o').as('json'))
    .$asScalar();

/** An object as JSON. */
export const jsonObject = (attributes: ArchiveAttributes, values: AttributeValues): Json =>
  plainObject(inOrder(attributes, values));

/** The first row of a query as JSON; null where there is none. */
export const jsonFirst = (attributes: ArchiveAttributes, values: AttributeValues, rows: MatchingQuery): Json =>
  plainRow(inOrder(attributes, values), rows.limit(constant(1)));

export const NO_ELEMENTS = db.cast<unknown>(constant('[]'), 'json');

/** All rows of an ordered query, as a JSON list; empty if there are none. */
export const jsonList = (attributes: ArchiveAttributes, values: AttributeValues, rows: MatchingQuery): Json =>
  db
    .selectFrom(rows.select(selected(inOrder(attributes, values))).as('o'))
    .select(({ fn }) => fn.coalesce(fn.agg('json_agg', [fn.toJson('o')]), NO_ELEMENTS).as('json'))
    .$asScalar();

/** JSON as one line. Line breaks inside strings are escaped in JSON; all others occur only between values. */
export const jsonLine = (json: Expression<unknown>) => sql<string>`translate((${json})::text, E'\n', '')`;

/** An instant, RFC 3339 in UTC, whole milliseconds. */
export const instantJson = (instant: Expression<Date | null>) =>
  sql<string>`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A day, `YYYY-MM-DD`. */
export const dayJson = (day: Expression<string | null>) => sql<string>`to_char(${day}, 'YYYY-MM-DD')`;

/** Builders of attribute values from the columns of a table's rows. @param alias of the rows */
export function rowValues<Table extends keyof ArchivesDatabase>(alias: string) {
  type Row = Selectable<ArchivesDatabase[Table]>;
  type Name = keyof Row & string;
  const ref = <N extends Name>(name: N) => sql.ref<Row[N]>(`${alias}.${name}`);
  const instant = (name: Name) => instantJson(sql.ref(`${alias}.${name}`));
  return {
    ref,
    instant,
    day: (name: Name) => dayJson(sql.ref(`${alias}.${name}`)),
    /** Columns whose JSON is the stored value. */
    columns: (...names: Name[]): AttributeValues => Object.fromEntries(names.map((name) => [name, ref(name)])),
    /** Both times of a row. */
    times: (): AttributeValues => ({
      created_at: instant('created_at' as Name),
      updated_at: instant('updated_at' as Name),
    }),
  };
}

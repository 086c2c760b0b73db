import { join, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { ArchiveAttributes } from '../format/attributes.js';

/** An SQL expression for each attribute of an object, by its name. */
export type AttributeValues = Readonly<Record<string, Fragment>>;

/**
 * The attributes as a select list, in the order of the format.
 * @throws Error where an attribute has no value, or a value no attribute: a mistake in a reader
 */
function selectList(attributes: ArchiveAttributes, values: AttributeValues): Fragment {
  const names = Object.keys(attributes);
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(attributes, name));
  const missing = names.filter((name) => !Object.hasOwn(values, name));
  if (unknown.length + missing.length > 0)
    throw new Error(`Attributes without a value: ${missing.join()}; values without an attribute: ${unknown.join()}`);
  return join(names.map((name) => sql`${values[name] as Fragment} as ${raw(`"${name}"`)}`));
}

/** SQL: an object as JSON. */
export const jsonObject = (attributes: ArchiveAttributes, values: AttributeValues): Fragment =>
  sql`(select row_to_json(o) from (select ${selectList(attributes, values)}) o)`;

/** SQL: the first row of `from` as JSON; null where there is none. `from` is whatever may follow the select list. */
export const jsonFirst = (attributes: ArchiveAttributes, values: AttributeValues, from: Fragment): Fragment =>
  sql`(select row_to_json(o) from (select ${selectList(attributes, values)} ${from} limit 1) o)`;

/** SQL: all rows of `from`, which says their order, as a JSON list; empty where there are none. */
export const jsonList = (attributes: ArchiveAttributes, values: AttributeValues, from: Fragment): Fragment =>
  sql`(select coalesce(json_agg(row_to_json(o)), '[]'::json) from (select ${selectList(attributes, values)} ${from}) o)`;

/** SQL: JSON as one line. Line ends within texts are escaped in JSON; others stand between values only. */
export const jsonLine = (json: Fragment): Fragment => sql`translate((${json})::text, E'\n', '')`;

/** SQL: an instant, RFC 3339 in UTC, whole milliseconds. */
export const instantJson = (instant: Fragment): Fragment =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL: a day, `YYYY-MM-DD`. */
export const dayJson = (day: Fragment): Fragment => sql`to_char(${day}, 'YYYY-MM-DD')`;

/** SQL: both times of a row. */
export const timesOf = (alias: string): AttributeValues => ({
  created_at: instantJson(raw(`${alias}.created_at`)),
  updated_at: instantJson(raw(`${alias}.updated_at`)),
});

/** SQL: columns of a row whose JSON is what is stored. */
export const columnsOf = (alias: string, ...names: string[]): AttributeValues =>
  Object.fromEntries(names.map((name) => [name, raw(`${alias}.${name}`)]));

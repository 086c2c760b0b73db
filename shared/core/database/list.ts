import { expressionBuilder, sql as kyselySql } from 'kysely';
import type { Expression, OperationNodeSource, SelectQueryBuilder, SqlBool } from 'kysely';
import { BadParams } from '../values/errors.js';
import type { Queryable } from './database.js';
import type { Statement } from './driver/statement.js';
import { constant } from './expressions.js';
import { compiled } from './compile.js';
import { planEachTime } from './plan-each-time.js';

/** One step of an order. `expression` is over the list's tables; `value` reads the same from a record. */
export interface OrderStep<T> {
  key: string;
  expression: Expression<unknown>;
  direction: 'asc' | 'desc';
  /**
   * The type of value that a cursor must hold for this step; other values are rejected before they reach the database.
   */
  type: 'integer' | 'number' | 'text' | 'instant';
  value: (record: T) => unknown;
}

/** Keyset paging as a resource offers it (rest-conventions.md section 7). */
export interface Keyset<T> {
  /** The record type as shown to clients: "objects of type Project". */
  type: string;
  /** How the next page is addressed: by `id_after` or `id_before`, which the operation accepts, or by a cursor. */
  by: 'id' | 'cursor';
  /** Whether this order may be paged so by this caller. `offset`: a request for it is answered by offset. */
  offered: boolean | 'offset';
  /** The order of keyset pages, where callers have more of a choice in it than by offset. */
  order?: readonly OrderStep<T>[];
}

/** What lists of either form have. */
interface Ordered<T> {
  /** Always ends in a unique column, so that pages neither repeat nor lose a row. */
  order: readonly OrderStep<T>[];
  /** Converts a row to a record, if they differ. */
  read?: (row: T) => T;
  /** Maximum number of matches to count; {@link COUNT_LIMIT} by default. For lists whose matches are slow to find. */
  countLimit?: number;
  /** Whether how many match depends so much on the values of filters that each page is planned by itself. */
  planEachTime?: boolean;
  /** Left out by resources that page by offset only. */
  keyset?: Keyset<T>;
}

const anyTable = expressionBuilder<Record<string, never>>();

/** A query of any tables, before its columns are selected. Its tables are type-checked where the query is written. */
// oxlint-disable-next-line typescript/no-explicit-any -- what a list has in common whatever its tables
export type MatchingQuery = SelectQueryBuilder<any, any, object>;

/** An ordered, filtered set of records, not read yet. REST pages it by offset or keyset, GraphQL by cursor. */
export interface List<T> extends Ordered<T> {
  /** All that match: tables and conditions, without columns, order and limit. Counting reads only these. */
  matching: MatchingQuery;
  /** Selects the columns, and joins what only columns need. */
  select: (matching: MatchingQuery) => MatchingQuery;
  /**
   * The alias of the records, if `select` has slow joins: these then run for the rows of the page only, not for all
   * matches before sorting.
   */
  pageFirst?: string;
}

/** A list of what of another one meets further conditions. */
export const narrow = <L extends { matching: MatchingQuery }>(
  list: L,
  conditions: readonly Expression<SqlBool>[],
): L => ({ ...list, matching: conditions.reduce((query, condition) => query.where(condition), list.matching) });

/** Past this many matches a list is not counted (rest-conventions.md section 7). */
export const COUNT_LIMIT = 10_000;

/** Which part of a list is read. */
interface Part {
  readonly conditions?: readonly Expression<SqlBool>[];
  readonly reverse?: boolean;
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * The limit is a literal in the text: as a parameter, the generic plan for any limit would seem so expensive that the
 * server would plan each request again.
 */
const getLimit = (count: number) => constant(Math.trunc(count));

function ordered<T>(query: MatchingQuery, { order }: List<T>, { reverse = false }: Part): MatchingQuery {
  return order.reduce(
    (some, { expression, direction }) => some.orderBy(expression, (direction === 'asc') !== reverse ? 'asc' : 'desc'),
    query,
  );
}

function getQuery<T>(list: List<T>, part: Part): MatchingQuery {
  const { conditions = [], limit, offset } = part;
  let page = ordered(narrow(list, conditions).matching, list, part);
  if (limit !== undefined) page = page.limit(getLimit(limit));
  if (offset !== undefined && offset > 0) page = page.offset(offset);
  const { pageFirst: alias } = list;
  if (alias === undefined) return list.select(page);
  const rows = anyTable.selectFrom(page.selectAll(alias).as(alias));
  return ordered(list.select(rows as MatchingQuery), list, part);
}

function getStatement<T>({ planEachTime: each }: List<T>, query: OperationNodeSource): Statement {
  const statement = compiled(query);
  return each ? planEachTime(statement) : statement;
}

async function getRows<T>(db: Queryable, list: List<T>, part: Part): Promise<T[]> {
  const rows = await db.query<T>(getStatement(list, getQuery(list, part)));
  return list.read ? rows.map(list.read) : rows;
}

/** Everything in the list, for lists that are small by nature. */
export function readAll<T>(db: Queryable, list: List<T>): Promise<T[]> {
  return getRows(db, list, {});
}

/** `limit` records starting at `offset` (from 0), for lists with their own kind of paging. */
export function readSlice<T>(db: Queryable, list: List<T>, offset: number, limit: number): Promise<T[]> {
  return getRows(db, list, { limit, offset });
}

export interface OffsetPage<T> {
  records: T[];
  hasNext: boolean;
  /** Matches, or null when there are more than the list counts. */
  total: number | null;
}

/** Reads one page by offset, and counts unless the page itself reveals the total. */
export async function readOffsetPage<T>(
  db: Queryable,
  list: List<T>,
  page: number,
  perPage: number,
): Promise<OffsetPage<T>> {
  const offset = (page - 1) * perPage;
  const rows = await getRows(db, list, { limit: perPage + 1, offset });
  const records = rows.slice(0, perPage);
  const hasNext = rows.length > perPage;
  const { countLimit = COUNT_LIMIT } = list;
  const isLastPage = !hasNext && (records.length > 0 || page === 1);
  const total = isLastPage ? offset + records.length : await countUpTo(db, list, countLimit);
  return { records, hasNext, total: total > countLimit ? null : total };
}

/** Counts matches, and stops counting one past `limit`. */
export async function countUpTo<T>(db: Queryable, list: List<T>, limit: number): Promise<number> {
  const matches = list.matching.select(constant(1).as('one')).limit(getLimit(limit + 1));
  const counting = anyTable.selectFrom(matches.as('matches')).select((eb) => eb.fn.countAll<number>().as('count'));
  const [row] = await db.query<{ count: number }>(getStatement(list, counting));
  return row?.count ?? 0;
}

/** Rows after (or, with `before`, before) the passed ordering values, as one row comparison or its expansion. */
function beyond<T>(steps: readonly OrderStep<T>[], values: readonly unknown[], before: boolean): Expression<SqlBool> {
  const eb = expressionBuilder<Record<string, never>>();
  const isGreater = (step: OrderStep<T>) => (step.direction === 'asc') !== before;
  const first = steps[0] as OrderStep<T>;
  if (steps.every((step) => isGreater(step) === isGreater(first))) {
    const row = (expressions: readonly Expression<unknown>[]) => eb.fn<unknown>('row', [...expressions]);
    const now = row(steps.map(({ expression }) => expression));
    return eb(now, isGreater(first) ? '>' : '<', row(values.map((value) => eb.val(value))));
  }
  return eb.or(
    steps.map((step, index) => {
      const equal = steps.slice(0, index).map((earlier, at) => eb(earlier.expression, '=', eb.val(values[at])));
      return eb.and([...equal, eb(step.expression, isGreater(step) ? '>' : '<', eb.val(values[index]))]);
    }),
  );
}

/** Where REST cursors hold their direction: `n`, the next page. */
const DIRECTION_KEY = '_kd';

/**
 * The opaque cursor of a record: URL-safe base64 of JSON with its ordering values.
 * @param direction is written into it as well, for transports that promise so
 */
export function encodeCursor<T>(list: Pick<List<T>, 'order'>, record: T, direction?: 'n'): string {
  const values = Object.fromEntries(list.order.map((step) => [step.key, step.value(record)]));
  return Buffer.from(JSON.stringify(direction ? { ...values, [DIRECTION_KEY]: direction } : values)).toString(
    'base64url',
  );
}

/** Longer than any cursor that is issued: the values of an order are ids, times and names. */
const MAX_CURSOR = 8 * 1024;

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/;

function fits(type: OrderStep<unknown>['type'], value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return Number.isFinite(value);
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return false;
  return type === 'text' || (ISO_INSTANT.test(value) && !Number.isNaN(new Date(value).getTime()));
}

/** @throws BadParams when the cursor is not one of this list's order */
export function decodeCursor<T>(list: Pick<List<T>, 'order'>, cursor: string, name = 'cursor'): unknown[] {
  try {
    if (cursor.length > MAX_CURSOR) throw new Error('too long');
    const text = Buffer.from(cursor, 'base64url').toString('utf8');
    const { [DIRECTION_KEY]: direction = 'n', ...values } = JSON.parse(text) as Record<string, unknown>;
    if (direction !== 'n') throw new Error('another direction');
    if (Object.keys(values).length !== list.order.length) throw new Error('another order');
    return list.order.map((step) => {
      const value = values[step.key];
      if (!fits(step.type, value)) throw new Error('another type');
      return value;
    });
  } catch {
    throw new BadParams([`${name} is invalid`]);
  }
}

export interface KeysetPage<T> {
  records: T[];
  hasMore: boolean;
}

/** Reads `limit` records after a position, or the last `limit` before one, always in the list's order. */
export async function readKeysetPage<T>(
  db: Queryable,
  list: List<T>,
  limit: number,
  position: { after?: readonly unknown[]; before?: readonly unknown[]; fromEnd?: boolean } = {},
): Promise<KeysetPage<T>> {
  const conditions: Expression<SqlBool>[] = [];
  if (position.after) conditions.push(beyond(list.order, position.after, false));
  if (position.before) conditions.push(beyond(list.order, position.before, true));
  const reverse = position.fromEnd ?? false;
  const rows = await getRows(db, list, { conditions, reverse, limit: limit + 1 });
  const records = rows.slice(0, limit);
  return { records: reverse ? records.reverse() : records, hasMore: rows.length > limit };
}

/** The order by id alone. @param alias of the records' table */
export function byId<T extends { id: number }>(alias: string, direction: 'asc' | 'desc'): OrderStep<T> {
  return {
    key: 'id',
    expression: kyselySql.ref(`${alias}.id`),
    direction,
    type: 'integer',
    value: (record) => record.id,
  };
}

import { BadParams } from './errors.js';
import type { Queryable } from './database/database.js';
import { and, empty, join, planEachTime, raw, sql } from './sql.js';
import type { Sql } from './sql.js';

/** One step of an order. `expression` is SQL over the list's tables; `value` reads the same from a record. */
export interface OrderStep<T> {
  key: string;
  expression: Sql;
  direction: 'asc' | 'desc';
  /** What a cursor must hold for this step; anything else is refused before it reaches the database. */
  type: 'integer' | 'number' | 'text' | 'instant';
  value: (record: T) => unknown;
}

/** Keyset paging as a resource offers it (seed 8a, rest-conventions.md section 7). */
export interface Keyset<T> {
  /** The records' type as clients are told it: "objects of type Project". */
  type: string;
  /** How the next page is named: by `id_after` or `id_before`, which the operation takes, or by a cursor. */
  by: 'id' | 'cursor';
  /** Whether this order may be paged so by this caller. `offset`: a request for it is answered by offset. */
  offered: boolean | 'offset';
  /** The order of keyset pages, where callers have more of a choice in it than by offset. */
  order?: readonly OrderStep<T>[];
}

/** An ordered, filtered set of records, not read yet. REST pages it by offset or keyset, GraphQL by cursor. */
export interface List<T> {
  select: Sql;
  from: Sql;
  /**
   * Joins to the records, under their alias, of what `select` alone reads. They are done for the page, not for all that
   * match before it is sorted.
   */
  beside?: { readonly alias: string; readonly joins: Sql };
  /** The tables that `where` speaks of, where that is less than `from`: counting reads only these. */
  matching?: Sql;
  where: readonly Sql[];
  /** Always ends in a unique column, so that pages neither repeat nor lose a row. */
  order: readonly OrderStep<T>[];
  /** Turns a row into a record, where it is more than the row. */
  read?: (row: T) => T;
  /** Past this many matches the list is not counted; {@link COUNT_LIMIT} unless told. For lists whose matches are dear to find. */
  countLimit?: number;
  /** Whether how many match depends so much on the values asked for that each page is planned by itself. */
  planEachTime?: boolean;
  /** Left out by resources that page by offset only. */
  keyset?: Keyset<T>;
}

/** Past this many matches a list is not counted (rest-conventions.md section 7). */
export const COUNT_LIMIT = 10_000;

function orderBy<T>(steps: readonly OrderStep<T>[], reverse = false): Sql {
  return join(
    steps.map((step) => {
      const ascending = (step.direction === 'asc') !== reverse;
      return sql`${step.expression} ${raw(ascending ? 'asc' : 'desc')}`;
    }),
    ', ',
  );
}

const planned = <T>(list: List<T>, text: Sql): Sql => (list.planEachTime ? planEachTime(text) : text);

/** @param rest what follows the order: how many, and from where on */
function statement<T>(list: List<T>, where: readonly Sql[], order: Sql, rest = empty): Sql {
  const { select, from, beside } = list;
  const some = sql`from ${from} where ${and(where)} order by ${order} ${rest}`;
  if (!beside) return planned(list, sql`select ${select} ${some}`);
  const alias = raw(beside.alias);
  const page = sql`(select ${alias}.* ${some}) ${alias}`;
  return planned(list, sql`select ${select} from ${page} ${beside.joins} order by ${order}`);
}

async function rowsOf<T>(db: Queryable, list: List<T>, text: Sql): Promise<T[]> {
  const rows = await db.query<T>(text);
  return list.read ? rows.map(list.read) : rows;
}

/** Everything in the list, for lists that are small by nature. */
export function readAll<T>(db: Queryable, list: List<T>): Promise<T[]> {
  return rowsOf(db, list, statement(list, list.where, orderBy(list.order)));
}

/** `limit` records from `offset` on, from 0, for what is paged in a way of its own. */
export function readSlice<T>(db: Queryable, list: List<T>, offset: number, limit: number): Promise<T[]> {
  const some = sql`${limitTo(limit)} offset ${offset}`;
  return rowsOf(db, list, statement(list, list.where, orderBy(list.order), some));
}

export interface OffsetPage<T> {
  records: T[];
  hasNext: boolean;
  /** Matches, or null when there are more than the list counts. */
  total: number | null;
}

/**
 * The rows of a page. Written into the text: were the limit a parameter, a plan for any limit would look so dear that
 * the server would plan each request anew.
 */
const limitTo = (count: number): Sql => raw(`limit ${Math.trunc(count)}`);

/** Reads one page by offset, and counts unless the page itself tells the total. */
export async function readOffsetPage<T>(
  db: Queryable,
  list: List<T>,
  page: number,
  perPage: number,
): Promise<OffsetPage<T>> {
  const offset = (page - 1) * perPage;
  const skip = offset > 0 ? sql`offset ${offset}` : empty;
  const some = sql`${limitTo(perPage + 1)} ${skip}`;
  const rows = await rowsOf(db, list, statement(list, list.where, orderBy(list.order), some));
  const records = rows.slice(0, perPage);
  const hasNext = rows.length > perPage;
  const { countLimit = COUNT_LIMIT } = list;
  const known = !hasNext && (records.length > 0 || page === 1);
  const total = known ? offset + records.length : await countUpTo(db, list, countLimit);
  return { records, hasNext, total: total > countLimit ? null : total };
}

/** Counts matches, and stops counting one past `limit`. */
export async function countUpTo<T>(db: Queryable, list: List<T>, limit: number): Promise<number> {
  const counting = sql`select count(*) as count
    from (select 1 from ${list.matching ?? list.from} where ${and(list.where)} ${limitTo(limit + 1)}) matches`;
  const [row] = await db.query<{ count: number }>(planned(list, counting));
  return row?.count ?? 0;
}

/** Rows after (or, with `before`, before) the given ordering values, as one row comparison or its expansion. */
function beyond<T>(steps: readonly OrderStep<T>[], values: readonly unknown[], before: boolean): Sql {
  const greater = (step: OrderStep<T>) => (step.direction === 'asc') !== before;
  const first = steps[0] as OrderStep<T>;
  if (steps.every((step) => greater(step) === greater(first))) {
    const left = join(
      steps.map((step) => step.expression),
      ', ',
    );
    return sql`(${left}) ${raw(greater(first) ? '>' : '<')} (${join([...values], ', ')})`;
  }
  const branches = steps.map((step, index) => {
    const equal = steps.slice(0, index).map((earlier, at) => sql`${earlier.expression} = ${values[at]}`);
    return and([...equal, sql`${step.expression} ${raw(greater(step) ? '>' : '<')} ${values[index]}`]);
  });
  return sql`(${join(branches, ' or ')})`;
}

/** Where REST cursors hold their direction: `n`, the next page. */
const DIRECTION_KEY = '_kd';

/**
 * The opaque cursor of a record: URL-safe base64 of JSON with its ordering values.
 * @param direction is written into it as well, for transports that promise so
 */
export function encodeCursor<T>(list: List<T>, record: T, direction?: 'n'): string {
  const values = Object.fromEntries(list.order.map((step) => [step.key, step.value(record)]));
  return Buffer.from(JSON.stringify(direction ? { ...values, [DIRECTION_KEY]: direction } : values)).toString(
    'base64url',
  );
}

/** Longer than any that is given out: the values of an order are ids, times and names. */
const MAX_CURSOR = 8 * 1024;

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/;

function fits(type: OrderStep<unknown>['type'], value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return Number.isFinite(value);
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return false;
  return type === 'text' || (ISO_INSTANT.test(value) && !Number.isNaN(new Date(value).getTime()));
}

/** @throws BadParams when the cursor is not one of this list's order */
export function decodeCursor<T>(list: List<T>, cursor: string, name = 'cursor'): unknown[] {
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
  const where = [...list.where];
  if (position.after) where.push(beyond(list.order, position.after, false));
  if (position.before) where.push(beyond(list.order, position.before, true));
  const reverse = position.fromEnd ?? false;
  const rows = await rowsOf(db, list, statement(list, where, orderBy(list.order, reverse), limitTo(limit + 1)));
  const records = rows.slice(0, limit);
  return { records: reverse ? records.reverse() : records, hasMore: rows.length > limit };
}

/** The order by id alone. */
export function byId<T extends { id: number }>(alias: string, direction: 'asc' | 'desc'): OrderStep<T> {
  return { key: 'id', expression: raw(`${alias}.id`), direction, type: 'integer', value: (record) => record.id };
}

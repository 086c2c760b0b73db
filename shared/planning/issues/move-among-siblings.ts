import type { Context } from '../../core/context.js';
import { Conflict, NotFound } from '../../core/errors.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { GAP, positionOf } from './relative-position.js';

/** Rows that stand in an order below a parent, by a column `relative_position`. */
export interface Siblings {
  readonly table: Fragment;
  /** The column that names the parent. */
  readonly parent: Fragment;
  readonly parentId: number;
}

export interface Neighbours {
  /** The row that is to stand before it, and the one that is to stand after it. */
  readonly move_before_id?: number | undefined;
  readonly move_after_id?: number | undefined;
}

/** Where a neighbour stands. @throws NotFound for a row of another parent */
type PositionOf = (neighbour: number) => Promise<number>;

/** The position next to one, leaving the row that moves aside; null at the end. */
async function nextTo(
  ctx: Context,
  { table, parent, parentId }: Siblings,
  id: number,
  from: number,
  side: '<' | '>',
): Promise<number | null> {
  const row = await ctx.queryOne<{ position: number }>(sql`
    select ${positionOf('x')} as "position" from ${table} x
     where x.${parent} = ${parentId} and x.id <> ${id} and ${positionOf('x')} ${raw(side)} ${from}
     order by ${positionOf('x')} ${raw(side === '<' ? 'desc' : 'asc')} limit 1`);
  return row?.position ?? null;
}

/** Between which positions it goes. */
async function positionsAround(ctx: Context, siblings: Siblings, id: number, asked: Neighbours, at: PositionOf) {
  const before = asked.move_before_id === undefined ? null : await at(asked.move_before_id);
  const after = asked.move_after_id === undefined ? null : await at(asked.move_after_id);
  const low = before ?? (await nextTo(ctx, siblings, id, after ?? 0, '<')) ?? (after ?? 0) - 2 * GAP;
  const high = after ?? (await nextTo(ctx, siblings, id, low, '>')) ?? low + 2 * GAP;
  return { low, high };
}

/** Spreads the rows evenly, in their order. */
async function makeRoom(ctx: Context, { table, parent, parentId }: Siblings): Promise<void> {
  await ctx.query(sql`
    update ${table} t set relative_position = c.number * ${GAP}::bigint
      from (select x.id, row_number() over (order by ${positionOf('x')}, x.id) as number
              from ${table} x where x.${parent} = ${parentId}) c
     where t.id = c.id`);
}

/**
 * Puts a row between others of the same parent, whose order nobody else changes meanwhile.
 * @param noun what the rows are called, as in "The issues do not stand …"
 * @throws Conflict where the neighbours stand in another order, NotFound for a row of another parent
 */
export async function moveAmongSiblings(
  ctx: Context,
  siblings: Siblings,
  id: number,
  asked: Neighbours,
  at: PositionOf,
  noun: string,
): Promise<void> {
  let { low, high } = await positionsAround(ctx, siblings, id, asked, at);
  if (high - low < 2) {
    await makeRoom(ctx, siblings);
    ({ low, high } = await positionsAround(ctx, siblings, id, asked, at));
  }
  if (high - low < 2) throw new Conflict(`The ${noun} do not stand next to each other in this order`);
  const { table, parent, parentId } = siblings;
  // The statement tells whether there was such a row.
  const moved = await ctx.query(sql`
    update ${table} x set relative_position = ${low + Math.floor((high - low) / 2)}::bigint
     where x.id = ${id} and x.${parent} = ${parentId} returning x.id`);
  if (moved.length === 0) throw new NotFound();
}

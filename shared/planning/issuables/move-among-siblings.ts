import { sql, expressionBuilder } from 'kysely';
import type { AliasableExpression } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { Conflict, NotFound } from '../../core/values/errors.js';
import type { PlanningDatabase } from '../planning.entities.js';

/** The gap between two issues that were never moved. */
export const GAP = 2 ** 20;

/** Position of a row among its siblings: the one it was moved to, or else derived from its id, behind older rows. */
export function selectPosition(alias: string): AliasableExpression<number> {
  const eb = expressionBuilder<{ i: Pick<PlanningDatabase['issues'], 'id' | 'relative_position'> }, 'i'>();
  const own = alias as 'i';
  return eb.fn.coalesce(`${own}.relative_position`, eb(`${own}.id`, '*', sql.lit(GAP))) as AliasableExpression<number>;
}

/** Rows ordered below a parent by a column `relative_position`. */
type Siblings = { readonly parentId: number } & (
  | { readonly table: 'epics'; readonly parent: 'parent_id' }
  | { readonly table: 'epic_issues'; readonly parent: 'epic_id' }
);

/** Both tables have these columns, so the type of one is used for both. */
const getTable = ({ table, parent }: Siblings) => ({ table: table as 'epic_issues', parent: parent as 'epic_id' });

interface Neighbours {
  /** The row that will precede it, and the row that will follow it. */
  readonly move_before_id?: number | undefined;
  readonly move_after_id?: number | undefined;
}

/** The position of a neighbor. @throws NotFound for a row of another parent */
type PositionOf = (neighbour: number) => Promise<number>;

/** The position next to one, leaving the row that moves aside; null at the end. */
async function nextTo(
  ctx: Context,
  siblings: Siblings,
  id: number,
  from: number,
  side: '<' | '>',
): Promise<number | null> {
  const { table, parent } = getTable(siblings);
  const row = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom(`${table} as x`)
    .select(selectPosition('x').as('position'))
    .where(`x.${parent}`, '=', siblings.parentId)
    .where('x.id', '<>', id)
    .where((eb) => eb(selectPosition('x'), side, from))
    .orderBy(selectPosition('x'), side === '<' ? 'desc' : 'asc')
    .limit(1)
    .executeTakeFirst();
  return row?.position ?? null;
}

/** Between which positions it goes. */
async function positionsAround(ctx: Context, siblings: Siblings, id: number, neighbours: Neighbours, at: PositionOf) {
  const before = neighbours.move_before_id === undefined ? null : await at(neighbours.move_before_id);
  const after = neighbours.move_after_id === undefined ? null : await at(neighbours.move_after_id);
  const low = before ?? (await nextTo(ctx, siblings, id, after ?? 0, '<')) ?? (after ?? 0) - 2 * GAP;
  const high = after ?? (await nextTo(ctx, siblings, id, low, '>')) ?? low + 2 * GAP;
  return { low, high };
}

/** Spreads the rows evenly, in their order. */
async function makeRoom(ctx: Context, siblings: Siblings): Promise<void> {
  const { table, parent } = getTable(siblings);
  await ctx.em
    .getKysely<PlanningDatabase>()
    .updateTable(`${table} as t`)
    .from((eb) =>
      eb
        .selectFrom(`${table} as x`)
        .select((of) => [
          'x.id',
          of.fn
            .agg<number>('row_number')
            .over((over) => over.orderBy(selectPosition('x')).orderBy('x.id'))
            .as('number'),
        ])
        .where(`x.${parent}`, '=', siblings.parentId)
        .as('c'),
    )
    .set((eb) => ({ relative_position: eb('c.number', '*', sql.lit(GAP)) }))
    .whereRef('t.id', '=', 'c.id')
    .execute();
}

/**
 * Moves a row between other rows of the same parent, whose order must not change concurrently.
 * @param noun plural noun for the rows, as in "The issues do not stand …"
 * @throws Conflict if the neighbors are in a different order, NotFound for a row of another parent
 */
export async function moveAmongSiblings(
  ctx: Context,
  siblings: Siblings,
  id: number,
  neighbours: Neighbours,
  at: PositionOf,
  noun: string,
): Promise<void> {
  let { low, high } = await positionsAround(ctx, siblings, id, neighbours, at);
  if (high - low < 2) {
    await makeRoom(ctx, siblings);
    ({ low, high } = await positionsAround(ctx, siblings, id, neighbours, at));
  }
  if (high - low < 2) throw new Conflict(`The ${noun} do not stand next to each other in this order`);
  const { table, parent } = getTable(siblings);
  // The result shows whether the row exists.
  const moved = await ctx.em
    .getKysely<PlanningDatabase>()
    .updateTable(table)
    .set({ relative_position: low + Math.floor((high - low) / 2) })
    .where('id', '=', id)
    .where(parent, '=', siblings.parentId)
    .returning('id')
    .execute();
  if (moved.length === 0) throw new NotFound();
}

import { sql, expressionBuilder } from 'kysely';
import type { AliasableExpression } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { Conflict, NotFound } from '../../core/values/errors.js';
import type { PlanningDatabase } from '../planning.entities.js';

/** Room that is left between two issues which nobody moved. */
export const GAP = 2 ** 20;

/** Where a row stands among those of its parent, as issues of a project: where it was moved to, else by its id, behind older ones. */
export function positionOf(alias: string): AliasableExpression<number> {
  const eb = expressionBuilder<{ i: Pick<PlanningDatabase['issues'], 'id' | 'relative_position'> }, 'i'>();
  const own = alias as 'i';
  return eb.fn.coalesce(`${own}.relative_position`, eb(`${own}.id`, '*', sql.lit(GAP))) as AliasableExpression<number>;
}

/** Rows that stand in an order below a parent, by a column `relative_position`. */
type Siblings = { readonly parentId: number } & (
  | { readonly table: 'epics'; readonly parent: 'parent_id' }
  | { readonly table: 'epic_issues'; readonly parent: 'epic_id' }
);

/** Both tables have these columns: the type of one of them stands for either. */
const tableOf = ({ table, parent }: Siblings) => ({ table: table as 'epic_issues', parent: parent as 'epic_id' });

interface Neighbours {
  /** The row that is to stand before it, and the one that is to stand after it. */
  readonly move_before_id?: number | undefined;
  readonly move_after_id?: number | undefined;
}

/** Where a neighbour stands. @throws NotFound for a row of another parent */
type PositionOf = (neighbour: number) => Promise<number>;

/** The position next to one, leaving the row that moves aside; null at the end. */
async function nextTo(
  ctx: Context,
  siblings: Siblings,
  id: number,
  from: number,
  side: '<' | '>',
): Promise<number | null> {
  const { table, parent } = tableOf(siblings);
  const row = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom(`${table} as x`)
    .select(positionOf('x').as('position'))
    .where(`x.${parent}`, '=', siblings.parentId)
    .where('x.id', '<>', id)
    .where((eb) => eb(positionOf('x'), side, from))
    .orderBy(positionOf('x'), side === '<' ? 'desc' : 'asc')
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
  const { table, parent } = tableOf(siblings);
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
            .over((over) => over.orderBy(positionOf('x')).orderBy('x.id'))
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
 * Puts a row between others of the same parent, whose order nobody else changes meanwhile.
 * @param noun what the rows are called, as in "The issues do not stand …"
 * @throws Conflict where the neighbours stand in another order, NotFound for a row of another parent
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
  const { table, parent } = tableOf(siblings);
  // The statement tells whether there was such a row.
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

import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { PlanningDatabase } from '../planning.entities.js';

/** Ids of the labels of some titles, by title. */
export type LabelIds = ReadonlyMap<string, readonly number[]>;

/**
 * The labels that filters name by their titles. They are looked up first, so that the database knows how common they
 * are when it plans a list: rare ones lead to their records, common ones are looked for along the list's order.
 * @param among of which projects and groups, as a condition on `l`
 */
export async function labelsOfFilters(
  ctx: Context,
  titles: readonly string[],
  among: Expression<SqlBool>,
): Promise<LabelIds> {
  const ids = new Map<string, number[]>(titles.map((title) => [title, []]));
  if (titles.length === 0) return ids;
  const rows = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('labels as l')
    .select(['l.id', 'l.title'])
    .where('l.title', '=', anyOf([...ids.keys()], 'text'))
    .where(among)
    .execute();
  for (const { id, title } of rows) ids.get(title)?.push(id);
  return ids;
}

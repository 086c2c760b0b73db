import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

/** Ids of the labels of some titles, by title. */
export type LabelIds = ReadonlyMap<string, readonly number[]>;

/**
 * The labels that filters name by their titles. They are looked up first, so that the database knows how common they
 * are when it plans a list: rare ones lead to their records, common ones are looked for along the list's order.
 * @param among of which projects and groups, as a condition on `l`
 */
export async function labelsOfFilters(ctx: Context, titles: readonly string[], among: Fragment): Promise<LabelIds> {
  const ids = new Map<string, number[]>(titles.map((title) => [title, []]));
  if (titles.length === 0) return ids;
  const rows = await ctx.query<{ id: number; title: string }>(sql`
    select l.id as "id", l.title as "title" from labels l where l.title = any(${[...ids.keys()]}::text[]) and ${among}`);
  for (const { id, title } of rows) ids.get(title)?.push(id);
  return ids;
}

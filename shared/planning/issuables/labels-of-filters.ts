import type { Context } from '../../core/context/context.js';
import type { Label } from '../labels/label.entity.js';

/** Ids of the labels of some titles, by title. */
export type LabelIds = ReadonlyMap<string, readonly number[]>;

/** Finds the labels of some titles among those of a project, a group, or all. */
export type LabelsAmong = (
  ctx: Context,
  named: { readonly titles: readonly string[] },
) => Promise<readonly Pick<Label, 'id' | 'title'>[]>;

/**
 * The labels that filters name by their titles. They are looked up first, so that the database knows how common they
 * are when it plans a list: rare ones lead to their records, common ones are looked for along the list's order.
 */
export async function labelsOfFilters(ctx: Context, titles: readonly string[], among: LabelsAmong): Promise<LabelIds> {
  const ids = new Map<string, number[]>(titles.map((title) => [title, []]));
  if (titles.length === 0) return ids;
  for (const { id, title } of await among(ctx, { titles: [...ids.keys()] })) ids.get(title)?.push(id);
  return ids;
}

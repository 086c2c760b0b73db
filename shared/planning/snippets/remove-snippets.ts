import type { Context } from '../../core/context/context.js';
import type { PlanningDatabase } from '../planning.entities.js';

/**
 * Removes some snippets of an author who is removed with all that they wrote; their repositories go with them.
 * @returns whether there may be more
 */
export async function removeSnippetsOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone = await ctx.em
    .getKysely<PlanningDatabase>()
    .deleteFrom('snippets')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('snippets as s')
        .select('s.id')
        .where('s.author_id', '=', userId)
        .orderBy('s.id')
        .limit(limit)
        .forUpdate(),
    )
    .returning('id')
    .execute();
  return gone.length === limit;
}

import type { Context } from '../../core/context/context.js';
import type { PlanningDatabase } from '../planning.entities.js';

/**
 * Removes some epics of an author who is removed with all that they wrote; what was below them stays.
 * @returns whether there may be more
 */
export async function removeEpicsOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone = await ctx.em
    .getKysely<PlanningDatabase>()
    .deleteFrom('epics')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('epics as i')
        .select('i.id')
        .where('i.author_id', '=', userId)
        .orderBy('i.id')
        .limit(limit)
        .forUpdate(),
    )
    .returning('id')
    .execute();
  return gone.length === limit;
}

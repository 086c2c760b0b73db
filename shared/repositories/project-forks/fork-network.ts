import type { Context } from '../../core/context/context.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';

/** Whether two projects come from one, over however many forks: then commits go from one to the other. */
export async function areRelated(ctx: Context, oneId: number, otherId: number): Promise<boolean> {
  const found = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .withRecursive('line', (db) =>
      db
        .selectFrom('projects as p')
        .select(['p.id as first_id', 'p.id', 'p.forked_from_id'])
        .where('p.id', 'in', [oneId, otherId])
        .union(
          db
            .selectFrom('line as l')
            .innerJoin('projects as p', 'p.id', 'l.forked_from_id')
            .select(['l.first_id', 'p.id', 'p.forked_from_id']),
        ),
    )
    .selectFrom('line as one')
    .innerJoin('line as other', 'other.id', 'one.id')
    .select('one.id')
    .where('one.first_id', '=', oneId)
    .where('other.first_id', '=', otherId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

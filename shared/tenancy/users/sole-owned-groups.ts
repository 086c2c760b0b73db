import type { Context } from '../../core/context/context.js';
import { anyIn, constant } from '../../core/database/expressions.js';
import { answersFor, today, unexpired } from '../namespaces/access.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

/**
 * Ids of the groups that nobody else would own without this user: direct Owner of them, and no other active Owner
 * there or above who is a person. They are locked first, as every change to a group's members does, so that the last two Owners
 * can't both go.
 */
export async function soleOwnedGroups(ctx: Context, userId: number): Promise<number[]> {
  const db = ctx.em.getKysely<TenancyDatabase>();
  const day = today(ctx);
  const owned = db
    .selectFrom('namespaces as n')
    .innerJoin('group_members as m', 'm.namespace_id', 'n.id')
    .where('m.user_id', '=', userId)
    .where('m.access_level', '=', constant(50))
    .where(unexpired('m', day))
    .select('n.id')
    .orderBy('n.id');
  await owned.forNoKeyUpdate('n').execute();
  const rows = await owned
    .where((eb) => {
      const others = eb
        .selectFrom('group_members as m')
        .innerJoin('users as u', 'u.id', 'm.user_id')
        .select(eb.lit(1).as('one'))
        .where((of) => of('m.namespace_id', '=', anyIn(of.ref('n.traversal_ids'))))
        .where('m.user_id', '<>', userId)
        .where(answersFor(day));
      return eb.not(eb.exists(others));
    })
    .execute();
  return rows.map(({ id }) => id);
}

import type { Context } from '../../core/context/context.js';
import { anyIn, constant } from '../../core/database/expressions.js';
import { answersFor, today, unexpired } from '../namespaces/access.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

/**
 * Ids of the groups that would have no Owner without this user: the user is a direct Owner, and there is no other
 * active human Owner in the group or its ancestors. Locks the groups first, like every change to a group's members, so
 * that the last two Owners cannot both be deleted.
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

import { UserCaller } from '../../core/context/callers.js';
import type { CallerUser } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { callerSelection } from './caller-columns.js';

/** The context of the user whose change triggered a job; null if the account no longer exists or is not active. */
export async function actAsUser(ctx: Context, userId: number): Promise<SignedInContext | null> {
  const user: CallerUser | undefined = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('users as u')
    .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
    .select(callerSelection())
    .where('u.id', '=', userId)
    .executeTakeFirst();
  return user?.state === 'active' ? ctx.as(new UserCaller(user)) : null;
}

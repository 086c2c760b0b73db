import { UserCaller } from '../../core/callers.js';
import type { CallerUser } from '../../core/callers.js';
import type { Context, SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { callerColumns } from '../../tenancy/users/caller-columns.js';

/** The context of a user whose change a job follows; null once the account is gone or does not work. */
export async function actAsUser(ctx: Context, userId: number): Promise<SignedInContext | null> {
  const user = await ctx.queryOne<CallerUser>(sql`
    select ${callerColumns()} from users u left join namespaces n on n.owner_id = u.id where u.id = ${userId}`);
  return user?.state === 'active' ? ctx.as(new UserCaller(user)) : null;
}

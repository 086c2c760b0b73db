import { UserCaller } from '../../core/callers.js';
import type { CallerUser } from '../../core/callers.js';
import type { Context, SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { callerColumns } from '../../tenancy/users/caller-columns.js';
import { ImportEnded } from './import-state.js';

/** The context of whoever asked for an import, if their account still works. @throws ImportEnded */
export async function actAsSender(ctx: Context, userId: number | null): Promise<SignedInContext> {
  const user = await ctx.queryOne<CallerUser>(sql`
    select ${callerColumns()} from users u left join namespaces n on n.owner_id = u.id where u.id = ${userId}`);
  if (user?.state !== 'active') throw new ImportEnded('The user who asked for the import is gone or blocked.');
  return ctx.as(new UserCaller(user));
}

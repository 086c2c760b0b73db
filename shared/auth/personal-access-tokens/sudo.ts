import type { Caller, CallerUser } from '../../core/callers.js';
import { UserCaller } from '../../core/callers.js';
import type { Queryable } from '../../core/database/database.js';
import { Forbidden, InsufficientScope, NotFound, Unauthenticated } from '../../core/errors.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { callerColumns } from '../../tenancy/users/caller-columns.js';

/** Digits are an id, anything else a username, whatever its case. */
function named(who: string): Fragment {
  if (/^\d+$/.test(who)) return who.length < 16 ? sql`u.id = ${Number(who)}` : sql`false`;
  // PostgreSQL takes no NUL, and nobody is called so.
  return who.includes('\0') ? sql`false` : sql`lower(u.username) = lower(${who})`;
}

/**
 * The caller that an administrator acts as: the other user's rights, with the administrator's token
 * (rest-conventions.md section 2, "Sudo").
 * @param who id or username
 * @throws Unauthenticated, Forbidden, InsufficientScope, NotFound
 */
export async function sudoCaller(db: Queryable, caller: Caller, who: string): Promise<UserCaller> {
  if (caller.kind === 'anonymous') throw new Unauthenticated();
  if (caller.kind !== 'user') throw new Unauthenticated('unknown');
  if (!caller.admin) throw new Forbidden('Must be admin to use sudo');
  if (!caller.token?.scopes.includes('sudo')) throw new InsufficientScope(['sudo']);
  const [user] = await db.query<CallerUser>(sql`
    select ${callerColumns()}
      from users u left join namespaces n on n.owner_id = u.id where ${named(who)}`);
  if (!user) throw NotFound.because(`User with ID or username '${who.replaceAll('\0', '')}' Not Found`);
  if (user.state !== 'active') throw new Forbidden('Your account has been blocked.');
  return new UserCaller(user, caller.token);
}

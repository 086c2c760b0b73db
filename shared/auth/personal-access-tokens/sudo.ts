import type { Expression, SqlBool } from 'kysely';
import type { Caller, CallerUser } from '../../core/context/callers.js';
import { UserCaller } from '../../core/context/callers.js';
import type { Queryable } from '../../core/database/database.js';
import { Forbidden, InsufficientScope, NotFound, Unauthenticated } from '../../core/values/errors.js';
import { constant, sameText } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';
import type { AuthDatabase } from '../auth.entities.js';
import { callerSelection } from '../../tenancy/users/caller-columns.js';
import { onUsers } from '../../tenancy/users/user.finder.js';

/** Digits are an id, anything else a username, whatever its case. */
function matchesUser(who: string): Expression<SqlBool> {
  if (/^\d+$/.test(who)) return who.length < 16 ? onUsers('u.id', '=', Number(who)) : constant(false);
  // PostgreSQL rejects NUL characters, and no username contains one.
  return who.includes('\0') ? constant(false) : sameText(onUsers.ref('u.username'), who);
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
  const found = queries<AuthDatabase>()
    .selectFrom('users as u')
    .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
    .select(callerSelection())
    .where(matchesUser(who));
  const [user] = await db.query<CallerUser>(found);
  if (!user) throw NotFound.because(`User with ID or username '${who.replaceAll('\0', '')}' Not Found`);
  if (user.state !== 'active') throw new Forbidden('Your account has been blocked.');
  return new UserCaller(user, caller.token);
}

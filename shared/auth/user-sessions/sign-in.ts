import { UserCaller } from '../../core/context/callers.js';
import type { CallerUser } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Unauthenticated } from '../../core/values/errors.js';
import { inTurn } from '../../core/threads/passwords.js';
import { constant } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { checkPassword, findAccount, WRONG } from './check-password.js';
import type { Account } from './check-password.js';
import { startSession } from './start-session.js';
import type { Browser } from './start-session.js';

/**
 * The password is right; what changed while it was hashed is seen now, and waits while the session is made.
 * @throws Unauthenticated when the password was changed, or the user blocked, meanwhile
 */
async function admit(ctx: Context, account: Account, newHash: string | null, browser: Browser): Promise<string> {
  return ctx.transaction(async () => {
    const now = ctx.clock.now();
    const same = await ctx.em
      .getKysely<AuthDatabase>()
      .updateTable('users')
      .set((eb) => ({
        password_digest: newHash ?? eb.ref('password_digest'),
        last_sign_in_at: eb.fn.coalesce('current_sign_in_at', eb.val(now)),
        current_sign_in_at: now,
      }))
      .where('id', '=', account.user.id)
      .where('state', '=', constant('active'))
      .where('password_digest', '=', account.password_digest)
      .returning('id')
      .execute();
    if (same.length === 0) throw new Unauthenticated('unknown', WRONG);
    const secret = await startSession(ctx, account.user.id, browser);
    ctx.record({ type: 'user.signed_in', user: account.user });
    return secret;
  });
}

/**
 * Signs in with username or email address, and password. Attempts are counted as in {@link checkPassword}.
 * @returns the caller and the secret for the session cookie
 * @throws Unauthenticated, Forbidden (blocked), RateLimited, Overloaded (too many hashes wait)
 */
export async function signIn(
  ctx: Context,
  credentials: { login: string; password: string },
  browser: Browser,
): Promise<{ user: CallerUser; secret: string }> {
  const { passwords } = ctx.services;
  const login = credentials.login.trim();
  const found = await checkPassword(ctx, { ...credentials, login }, await findAccount(ctx, login));
  const outdated = passwords.isOutdated(found.password_digest);
  const newHash = outdated ? await inTurn(() => passwords.hash(credentials.password)) : null;
  const secret = await admit(ctx.as(new UserCaller(found.user)), found, newHash, browser);
  ctx.services.forgetCallers();
  return { user: found.user, secret };
}

import type { Context } from '../../core/context/context.js';
import { Invalid, Unauthenticated } from '../../core/values/errors.js';
import { inTurn } from '../../core/threads/passwords.js';
import type { AuthDatabase } from '../auth.entities.js';
import { User } from '../../tenancy/users/user.entity.js';
import { requireUserValues } from '../../tenancy/users/user.rules.js';
import { endAccessOf } from './end-sessions.js';
import { countSignIn } from './check-password.js';
import { startSession } from './start-session.js';
import type { Browser } from './start-session.js';

/**
 * Changes the caller's own password after checking the current one. Ends all sessions and starts a new one for the
 * requesting browser.
 * @returns the secret for its cookie
 * @throws Invalid, RateLimited, Overloaded, Unauthenticated without a session
 */
export async function changeOwnPassword(
  ctx: Context,
  input: { current: string; password: string },
  browser: Browser,
): Promise<string> {
  const { user, session } = ctx.caller;
  const { passwords } = ctx.services;
  if (!user || !session) throw new Unauthenticated();
  await countSignIn(ctx, 'sign_in', ['user', user.id]);
  const account = await ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('users')
    .select(['email', 'password_digest'])
    .where('id', '=', user.id)
    .executeTakeFirst();
  if (!account) throw new Unauthenticated();
  const hash = account.password_digest ?? passwords.unmatchable;
  if (!(await inTurn(() => passwords.verify(input.current, hash))))
    throw new Invalid({ current_password: ['is invalid'] });
  requireUserValues({ email: account.email, password: input.password });
  const newHash = await inTurn(() => passwords.hash(input.password));
  return ctx.transaction(async () => {
    const unchanged = { id: user.id, state: 'active', password_digest: hash };
    const edited = { password_digest: newHash, updated_at: ctx.clock.now() };
    // A concurrent request changed the password while the new one was hashed.
    if ((await ctx.em.nativeUpdate(User, unchanged, edited)) === 0)
      throw new Invalid({ current_password: ['is invalid'] });
    // At once: the session that begins here stays.
    await endAccessOf(ctx, user.id);
    ctx.record({ type: 'user.password_changed', user, by: 'themselves' });
    return startSession(ctx, user.id, browser);
  });
}

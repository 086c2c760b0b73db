import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { AuthDatabase } from '../auth.entities.js';
import { revokeGrantsOf } from '../oauth/revoke-grants.js';

/**
 * Ends every session of a user: after another password, a block, a deactivation. Runs in the caller's transaction.
 * @param except a session that stays
 */
async function endSessionsOf(ctx: Context<Caller>, userId: number, except: number | null = null): Promise<void> {
  await ctx.em
    .getKysely<AuthDatabase>()
    .deleteFrom('user_sessions')
    .where('user_id', '=', userId)
    .$if(except !== null, (query) => query.where('id', '<>', except as number))
    .execute();
  ctx.afterCommit(() => ctx.services.forgetCallers());
}

/** Ends the session of the caller; nothing where there is none. */
export async function signOut(ctx: Context): Promise<void> {
  const { session } = ctx.caller;
  if (!session) return;
  await ctx.em.getKysely<AuthDatabase>().deleteFrom('user_sessions').where('id', '=', session.id).execute();
  ctx.services.forgetCallers();
}

/**
 * Ends all access based on a user's password: sessions, and the applications authorized in them. Called after a
 * password change, a block, a ban, a deactivation. Personal access tokens are not affected: they are refused anyway if
 * the user may not sign in. Runs in the caller's transaction.
 */
export async function endAccessOf(ctx: Context<Caller>, userId: number): Promise<void> {
  await endSessionsOf(ctx, userId);
  await revokeGrantsOf(ctx, userId);
}

import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/**
 * Ends every session of a user: after another password, a block, a deactivation. Runs in the caller's transaction.
 * @param except a session that stays
 */
export async function endSessionsOf(ctx: Context<Caller>, userId: number, except: number | null = null): Promise<void> {
  await ctx.query(sql`
    delete from user_sessions where user_id = ${userId} and id is distinct from ${except}::bigint`);
  ctx.afterCommit(() => ctx.services.forgetCallers());
}

/** Ends the session of the caller; nothing where there is none. */
export async function signOut(ctx: Context): Promise<void> {
  const { session } = ctx.caller;
  if (!session) return;
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  await ctx.query(sql`delete from user_sessions where id = ${session.id}`);
  ctx.services.forgetCallers();
}

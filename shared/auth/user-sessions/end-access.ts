import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { revokeGrantsOf } from '../oauth/revoke-grants.js';
import { endSessionsOf } from './end-sessions.js';

/**
 * Ends what a user's password opened: sessions, and what the user allowed applications in them. After another
 * password, a block, a ban, a deactivation. Access tokens that a person made by hand are none of it: those of who may
 * not sign in are refused by that. Runs in the caller's transaction.
 */
export async function endAccessOf(ctx: Context<Caller>, userId: number): Promise<void> {
  await endSessionsOf(ctx, userId);
  await revokeGrantsOf(ctx, userId);
}

import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { UserSession } from './user-session.entity.js';
import { newSessionSecret } from './session-secrets.js';

/** A session ends after this long although it is in use. */
const SESSION_DAYS = 30;
/** Of one user at a time; the oldest make room. */
const SESSIONS_AT_MOST = 100;
const DAY_MS = 86_400_000;
const USER_AGENT_CHARACTERS = 255;

/** Properties of the browser that signs in. */
export interface Browser {
  userAgent: string;
  /**
   * The session of its previous cookie: it ends, so that an attacker who planted the cookie does not share the new one.
   */
  previous: number | null;
}

/**
 * Starts a session with a secret of its own. Runs in the caller's transaction.
 * @returns the secret, which only the cookie keeps
 */
export async function startSession(ctx: Context, userId: number, browser: Browser): Promise<string> {
  const secret = newSessionSecret();
  const now = ctx.clock.now();
  await ctx.em
    .getKysely<AuthDatabase>()
    .deleteFrom('user_sessions')
    .where((eb) => {
      const oldest = eb
        .selectFrom('user_sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .offset(constant(SESSIONS_AT_MOST - 1));
      return eb.or([
        eb('id', '=', eb.cast<number>(eb.val(browser.previous), 'bigint')),
        eb.and([eb('user_id', '=', userId), eb.or([eb('expires_at', '<=', now), eb('id', 'in', oldest)])]),
      ]);
    })
    .execute();
  await ctx.em.insert(UserSession, {
    user_id: userId,
    digest: ctx.services.keys.digest(secret),
    ip_address: ctx.origin.ip,
    user_agent: storable(browser.userAgent),
    last_used_at: now,
    expires_at: new Date(now.getTime() + SESSION_DAYS * DAY_MS),
    created_at: now,
  });
  ctx.afterCommit(() => ctx.services.forgetCallers());
  return secret;
}

const storable = (text: string) => text.slice(0, USER_AGENT_CHARACTERS).replaceAll('\0', '').toWellFormed();

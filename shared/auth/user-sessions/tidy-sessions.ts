import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { expireInitialCredentials } from '../administration/initial-credentials.js';

const DAY_MS = 86_400_000;
/** An expired token says for so long that it is expired, and is then as unknown as any. */
const EXPIRED_TOKEN_DAYS = 30;
/** Removed by one statement, so that none holds many rows. */
const AT_ONCE = 5000;

async function remove(ctx: Context, statement: Fragment): Promise<number> {
  let removed = 0;
  await inSteps(ctx, async () => {
    const { length } = await ctx.query(statement);
    removed += length;
    return length === AT_ONCE;
  });
  return removed;
}

/** Removes what can open nothing any more, or shall not be shown any more: sessions, codes, refresh tokens, requests for consent, access tokens, grants. */
export async function cleanUp(ctx: Context): Promise<{ sessions: number; records: number; tokens: number }> {
  const now = ctx.clock.now();
  const idle = new Date(now.getTime() - ctx.settings.session_expire_delay * 60_000);
  const old = new Date(now.getTime() - EXPIRED_TOKEN_DAYS * DAY_MS);
  const sessions = await remove(
    ctx,
    sql`delete from user_sessions where id in (
          select id from user_sessions where expires_at <= ${now} or last_used_at <= ${idle} limit ${AT_ONCE})
        returning id`,
  );
  const records = await remove(
    ctx,
    sql`delete from oauth_records where id in (
          select id from oauth_records where expires_at <= ${now} limit ${AT_ONCE}) returning id`,
  );
  const tokens = await remove(
    ctx,
    sql`delete from oauth_access_tokens where id in (
          select id from oauth_access_tokens where expires_at <= ${old} limit ${AT_ONCE}) returning id`,
  );
  // A revoked grant is kept as long as a token could still tell of it.
  await remove(
    ctx,
    sql`delete from oauth_grants where id in (
          select id from oauth_grants where revoked_at <= ${old} limit ${AT_ONCE}) returning id`,
  );
  await expireInitialCredentials(ctx);
  return { sessions, records, tokens };
}

import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

/**
 * The grants first: whoever issues a token for one at this moment holds its row, so that the next statements see that
 * token, or issues none.
 */
async function revoke(ctx: Context<Caller>, which: Fragment): Promise<number> {
  const now = ctx.clock.now();
  const grants = await ctx.query<{ id: number }>(sql`
    update oauth_grants g set revoked_at = ${now} where ${which} and g.revoked_at is null returning g.id as "id"`);
  const ids = grants.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await ctx.query(sql`
    update oauth_access_tokens set revoked_at = ${now} where grant_id = any(${ids}::bigint[]) and revoked_at is null`);
  await ctx.query(sql`delete from oauth_records where grant_id = any(${ids}::bigint[])`);
  ctx.afterCommit(() => ctx.services.forgetCallers());
  return ids.length;
}

/** Ends everything that was issued for a grant: its code was used twice, or a refresh token was. */
export const revokeGrant = (ctx: Context, uid: string): Promise<void> =>
  ctx.transaction(async () => {
    await revoke(ctx, sql`g.uid = ${uid}`);
  });

/** Ends everything that a user allowed applications. Runs in the caller's transaction. */
export const revokeGrantsOf = (ctx: Context<Caller>, userId: number): Promise<number> =>
  revoke(ctx, sql`g.user_id = ${userId}`);

/**
 * Ends everything that a user allowed one application. Runs in the caller's transaction.
 * @returns how many times they had allowed it something
 */
export const revokeGrantsFor = (ctx: Context, userId: number, applicationId: number): Promise<number> =>
  revoke(ctx, sql`g.user_id = ${userId} and g.application_id = ${applicationId}`);

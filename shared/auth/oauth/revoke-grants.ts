import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { AuthDatabase } from '../auth.entities.js';

const onGrants = expressionBuilder<Aliased<AuthDatabase, { g: 'oauth_grants' }>, 'g'>();

/**
 * Revokes the grants first: a concurrent request that issues a token for one holds its row, so that the next statements
 * see that token; otherwise no token is issued.
 */
async function revoke(ctx: Context<Caller>, which: Expression<SqlBool>): Promise<number> {
  const now = ctx.clock.now();
  const db = ctx.em.getKysely<AuthDatabase>();
  const grants = await db
    .updateTable('oauth_grants as g')
    .set({ revoked_at: now })
    .where(which)
    .where('g.revoked_at', 'is', null)
    .returning('g.id')
    .execute();
  const ids = grants.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db
    .updateTable('oauth_access_tokens')
    .set({ revoked_at: now })
    .where('grant_id', '=', anyOf(ids, 'bigint'))
    .where('revoked_at', 'is', null)
    .execute();
  await db.deleteFrom('oauth_records').where('grant_id', '=', anyOf(ids, 'bigint')).execute();
  ctx.afterCommit(() => ctx.services.forgetCallers());
  return ids.length;
}

/** Ends everything that was issued for a grant: its code was used twice, or a refresh token was. */
export const revokeGrant = (ctx: Context, uid: string): Promise<void> =>
  ctx.transaction(async () => {
    await revoke(ctx, onGrants('g.uid', '=', uid));
  });

/** Ends everything that a user allowed applications. Runs in the caller's transaction. */
export const revokeGrantsOf = (ctx: Context<Caller>, userId: number): Promise<number> =>
  revoke(ctx, onGrants('g.user_id', '=', userId));

/**
 * Ends everything that a user allowed one application. Runs in the caller's transaction.
 * @returns how many times they had allowed it something
 */
export const revokeGrantsFor = (ctx: Context, userId: number, applicationId: number): Promise<number> =>
  revoke(ctx, onGrants.and([onGrants('g.user_id', '=', userId), onGrants('g.application_id', '=', applicationId)]));

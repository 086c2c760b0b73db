import { containerOfRow } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { today } from '../../tenancy/access/access.js';
import { recordRevoked } from './record-tokens.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';

/**
 * Revokes the tokens that a condition on `t` names: they are refused from the next request on. Those that are revoked
 * already stay as they are. Nobody audits it here: callers know why.
 * @returns the ids of those that it revoked
 */
export async function revokeTokens(ctx: Context, condition: Fragment): Promise<number[]> {
  const revoked = await ctx.query<{ id: number }>(sql`
    update personal_access_tokens t set revoked = true, updated_at = ${ctx.clock.now()}
     where ${condition} and not t.revoked returning t.id as "id"`);
  if (revoked.length > 0) ctx.afterCommit(() => ctx.services.forgetCallers());
  return revoked.map(({ id }) => id);
}

/** Bots `u` without any working token of the project or group that they were made for. */
export const isIdleBot = (ctx: Context): Fragment => sql`u.bot and not u.internal and not exists (
  select 1 from personal_access_tokens own
   where own.user_id = u.id and (own.project_id is not null or own.namespace_id is not null)
     and not own.revoked and (own.expires_on is null or own.expires_on > ${today(ctx)}::date))`;

/**
 * Takes everything from the bots of these tokens that have no other token of their project or group: their roles, and
 * whatever else anybody made for them to act by.
 */
export async function dismissBots(ctx: Context, tokenIds: readonly number[]): Promise<void> {
  const idle = await ctx.query<{ id: number }>(sql`
    select distinct u.id as "id" from personal_access_tokens t join users u on u.id = t.user_id
     where t.id = any(${tokenIds}::bigint[]) and ${isIdleBot(ctx)}`);
  if (idle.length === 0) return;
  const bots = idle.map(({ id }) => id);
  await ctx.query(sql`
    with from_projects as (delete from project_members m where m.user_id = any(${bots}::bigint[])),
         from_groups as (delete from group_members m where m.user_id = any(${bots}::bigint[]))
    select 1 as done`);
  await revokeLeftTokens(ctx, bots);
}

/** Revokes what is left of the tokens of bots that are over. */
export async function revokeLeftTokens(ctx: Context, botIds: readonly number[]): Promise<void> {
  if (botIds.length === 0) return;
  const left = await revokeTokens(ctx, sql`t.user_id = any(${botIds}::bigint[])`);
  await recordRevoked(ctx, left, 'bot_over');
}

/** Revokes one token for good: no other comes in its place. @throws Invalid for a token that is revoked already */
export async function revokeToken(ctx: Context, token: PersonalAccessToken): Promise<void> {
  const revoked = await revokeTokens(ctx, sql`t.id = ${token.id}`);
  if (revoked.length === 0) throw new Invalid('400 Bad request');
  if (containerOfRow(token)) await dismissBots(ctx, revoked);
  await recordRevoked(ctx, revoked);
}

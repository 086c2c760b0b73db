import type { Context } from '../core/context.js';
import { Invalid } from '../core/errors.js';
import { sql } from '../core/sql.js';
import type { Sql } from '../core/sql.js';
import { today } from '../members/access.js';
import { auditTokens } from './audit-tokens.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';

/**
 * Revokes the tokens that a condition on `t` names: they are refused from the next request on. Those that are revoked
 * already stay as they are. Nobody audits it here: callers know why.
 * @returns the ids of those that it revoked
 */
export async function revokeTokens(ctx: Context, condition: Sql): Promise<number[]> {
  const revoked = await ctx.query<{ id: number }>(sql`
    update personal_access_tokens t set revoked = true, updated_at = ${ctx.clock.now()}
     where ${condition} and not t.revoked returning t.id as "id"`);
  if (revoked.length > 0) ctx.afterCommit(() => ctx.services.forgetCallers());
  return revoked.map(({ id }) => id);
}

/** Takes their roles from the bots of these tokens that have no other token to act by. */
export async function dismissBots(ctx: Context, tokenIds: readonly number[]): Promise<void> {
  const idle = sql`select t.user_id from personal_access_tokens t join users u on u.id = t.user_id
    where t.id = any(${tokenIds}::bigint[]) and u.bot and not exists (
      select 1 from personal_access_tokens other where other.user_id = t.user_id and not other.revoked
         and (other.expires_on is null or other.expires_on > ${today(ctx)}::date))`;
  await ctx.query(sql`
    with from_projects as (delete from project_members m where m.user_id in (${idle})),
         from_groups as (delete from group_members m where m.user_id in (${idle}))
    select 1 as done`);
}

/** Revokes one token for good: no other comes in its place. @throws Invalid for a token that is revoked already */
export async function revokeToken(ctx: Context, token: PersonalAccessToken): Promise<void> {
  const revoked = await revokeTokens(ctx, sql`t.id = ${token.id}`);
  if (revoked.length === 0) throw new Invalid('400 Bad request');
  if (token.project_id ?? token.namespace_id) await dismissBots(ctx, revoked);
  await auditTokens(ctx, 'revoked', revoked, (name) => `Revoked ${name}`);
}

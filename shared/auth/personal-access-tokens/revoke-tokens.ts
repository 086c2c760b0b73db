import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { containerOfRow } from '../../core/operations/container.js';
import type { Aliased } from '../../core/database/tables.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { today, unexpired } from '../../tenancy/namespaces/access.js';
import { recordRevoked } from './record-tokens.js';
import { onTokens } from './personal-access-token.finder.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';

/**
 * Revokes the tokens that match a condition on `t`: they are refused from the next request on. Tokens that are already
 * revoked stay unchanged. Records no audit event; callers do so because they know the reason.
 * @returns the ids of the revoked tokens
 */
export async function revokeTokens(ctx: Context, condition: Expression<SqlBool>): Promise<number[]> {
  const revoked = await ctx.em
    .getKysely<AuthDatabase>()
    .updateTable('personal_access_tokens as t')
    .set({ revoked: true, updated_at: ctx.clock.now() })
    .where(condition)
    .where('t.revoked', '=', constant(false))
    .returning('t.id')
    .execute();
  if (revoked.length > 0) ctx.afterCommit(() => ctx.services.forgetCallers());
  return revoked.map(({ id }) => id);
}

const onBots = expressionBuilder<Aliased<AuthDatabase, { u: 'users' }>, 'u'>();

/** Bots `u` without any working token of the project or group that they were made for. */
export function isIdleBot(ctx: Context): Expression<SqlBool> {
  const eb = onBots;
  const working = eb
    .selectFrom('personal_access_tokens as own')
    .select(eb.lit(1).as('one'))
    .whereRef('own.user_id', '=', 'u.id')
    .where((of) => of.or([of('own.project_id', 'is not', null), of('own.namespace_id', 'is not', null)]))
    .where('own.revoked', '=', constant(false))
    .where(unexpired('own', today(ctx)));
  return eb.and([eb.ref('u.bot'), eb('u.internal', '=', constant(false)), eb.not(eb.exists(working))]);
}

/**
 * Removes all access from the bots of these tokens that have no other token of their project or group: their roles and
 * every other credential.
 */
export async function dismissBots(ctx: Context, tokenIds: readonly number[]): Promise<void> {
  const db = ctx.em.getKysely<AuthDatabase>();
  const idle = await db
    .selectFrom('personal_access_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select('u.id')
    .distinct()
    .where('t.id', '=', anyOf(tokenIds, 'bigint'))
    .where(isIdleBot(ctx))
    .execute();
  if (idle.length === 0) return;
  const bots = idle.map(({ id }) => id);
  await db
    .with('from_projects', (of) => of.deleteFrom('project_members').where('user_id', '=', anyOf(bots, 'bigint')))
    .with('from_groups', (of) => of.deleteFrom('group_members').where('user_id', '=', anyOf(bots, 'bigint')))
    .selectNoFrom(constant(1).as('done'))
    .execute();
  await revokeLeftTokens(ctx, bots);
}

/** Revokes the remaining tokens of dismissed bots. */
export async function revokeLeftTokens(ctx: Context, botIds: readonly number[]): Promise<void> {
  if (botIds.length === 0) return;
  const left = await revokeTokens(ctx, onTokens('t.user_id', '=', anyOf(botIds, 'bigint')));
  await recordRevoked(ctx, left, 'bot_over');
}

/** Revokes one token permanently, without a successor. @throws Invalid if the token is already revoked */
export async function revokeToken(ctx: Context, token: PersonalAccessToken): Promise<void> {
  const revoked = await revokeTokens(ctx, onTokens('t.id', '=', token.id));
  if (revoked.length === 0) throw new Invalid('400 Bad request');
  if (containerOfRow(token)) await dismissBots(ctx, revoked);
  await recordRevoked(ctx, revoked);
}

import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { isIdleBot, revokeLeftTokens } from '../personal-access-tokens/revoke-tokens.js';
import { deleteUsers } from '../../tenancy/users/user.jobs.js';

/** So long the last token of a bot is still listed, with who it acted as. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/** Bots looked after in one transaction. */
const BATCH = 500;

/**
 * Revokes what works of the tokens of bots whose project or group token has ended by itself: nothing else was told of
 * that day.
 */
async function endLeftTokens(ctx: Context): Promise<void> {
  await ctx.transaction(async () => {
    const bots = await ctx.query<{ id: number }>(sql`
      select u.id as "id" from users u where ${isIdleBot(ctx)} and exists (
        select 1 from personal_access_tokens t where t.user_id = u.id and not t.revoked
           and t.project_id is null and t.namespace_id is null)
       order by u.id limit ${BATCH}`);
    await revokeLeftTokens(
      ctx,
      bots.map(({ id }) => id),
    );
  });
}

/**
 * Has the bots removed that can act by no token any more: those whose last one ended a while ago, and those whose
 * project or group is gone. They are blocked until then, so that each is told of once; what they did stays, as with
 * people.
 * @returns how many
 */
export async function removeBotsWithoutTokens(ctx: Context): Promise<number> {
  await endLeftTokens(ctx);
  const since = new Date(ctx.clock.now().getTime() - KEPT_DAYS * DAY_MS);
  return ctx.transaction(async () => {
    // Who waited for another such transaction sees by the outer condition that it was done.
    const bots = await ctx.query<{ id: number; username: string }>(sql`
      update users u set state = 'blocked', updated_at = ${ctx.clock.now()}
       where u.state <> 'blocked' and u.id in (
         select b.id from users b
          where b.bot and not b.internal and b.state <> 'blocked' and not exists (
            select 1 from personal_access_tokens t where t.user_id = b.id
               and (t.project_id is not null or t.namespace_id is not null)
               and (t.expires_on is null or t.expires_on > ${since.toISOString().slice(0, 10)}::date)
               and (not t.revoked or t.updated_at > ${since}))
          order by b.id limit ${BATCH})
      returning u.id as "id", u.username as "username"`);
    for (const user of bots) ctx.record({ type: 'bot.deleted', user });
    await ctx.jobs.sendAll(
      deleteUsers,
      bots.map(({ id }) => ({ user_id: id })),
    );
    return bots.length;
  });
}

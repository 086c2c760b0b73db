import { expressionBuilder } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { isIdleBot, revokeLeftTokens } from '../personal-access-tokens/revoke-tokens.js';
import { unexpired } from '../../tenancy/namespaces/access.js';
import { deleteUsers } from '../../tenancy/tenancy.jobs.js';

/** So long the last token of a bot is still listed, with who it acted as. */
const RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;
/** Number of bots processed in one transaction. */
const BATCH = 500;

/**
 * Revokes the remaining valid tokens of bots whose project or group token has expired: no event is triggered by the
 * expiry itself.
 */
async function endLeftTokens(ctx: Context): Promise<void> {
  await ctx.transaction(async () => {
    const bots = await ctx.em
      .getKysely<AuthDatabase>()
      .selectFrom('users as u')
      .select('u.id')
      .where(isIdleBot(ctx))
      .where(({ exists, lit, selectFrom }) =>
        exists(
          selectFrom('personal_access_tokens as t')
            .select(lit(1).as('one'))
            .whereRef('t.user_id', '=', 'u.id')
            .where('t.revoked', '=', constant(false))
            .where('t.project_id', 'is', null)
            .where('t.namespace_id', 'is', null),
        ),
      )
      .orderBy('u.id')
      .limit(constant(BATCH))
      .execute();
    await revokeLeftTokens(
      ctx,
      bots.map(({ id }) => id),
    );
  });
}

/** Bots of which no token of a project or group has worked since an instant. */
function botsOverSince(since: Date) {
  const db = expressionBuilder<AuthDatabase>();
  return db
    .selectFrom('users as b')
    .select('b.id')
    .where('b.bot', '=', constant(true))
    .where('b.internal', '=', constant(false))
    .where('b.state', '<>', constant('blocked'))
    .where((eb) => {
      const tokens = eb
        .selectFrom('personal_access_tokens as t')
        .select(eb.lit(1).as('one'))
        .whereRef('t.user_id', '=', 'b.id')
        .where((of) => of.or([of('t.project_id', 'is not', null), of('t.namespace_id', 'is not', null)]))
        .where(unexpired('t', since.toISOString().slice(0, 10)))
        .where((of) => of.or([of('t.revoked', '=', constant(false)), of('t.updated_at', '>', since)]));
      return eb.not(eb.exists(tokens));
    })
    .orderBy('b.id')
    .limit(constant(BATCH));
}

/**
 * Enqueues the removal of bots without any valid token: those whose last one expired a while ago, and those whose
 * project or group no longer exists. Blocks them until then, so that each is reported once; their contributions remain,
 * as with human users.
 * @returns number of bots
 */
export async function removeBotsWithoutTokens(ctx: Context): Promise<number> {
  await endLeftTokens(ctx);
  const since = new Date(ctx.clock.now().getTime() - RETENTION_DAYS * DAY_MS);
  return ctx.transaction(async () => {
    // Who waited for another such transaction sees by the outer condition that it was done.
    const bots = await ctx.em
      .getKysely<AuthDatabase>()
      .updateTable('users as u')
      .set({ state: constant('blocked'), updated_at: ctx.clock.now() })
      .where('u.state', '<>', constant('blocked'))
      .where('u.id', 'in', botsOverSince(since))
      .returning(['u.id', 'u.username'])
      .execute();
    for (const user of bots) ctx.record({ type: 'bot.deleted', user });
    await ctx.jobs.sendAll(
      deleteUsers,
      bots.map(({ id }) => ({ user_id: id })),
    );
    return bots.length;
  });
}

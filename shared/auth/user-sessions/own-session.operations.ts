import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { SignedInContext } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { columns } from '../../core/database/columns.js';
import type { Aliased } from '../../core/database/tables.js';
import type { AuthDatabase } from '../auth.entities.js';
import { inSession } from '../personal-access-tokens/personal-access-token.policy.js';
import { UserSession } from './user-session.entity.js';

const MINUTE_MS = 60_000;

const onSessions = expressionBuilder<Aliased<AuthDatabase, { s: 'user_sessions' }>, 's'>();

/** Sessions of the caller that are not over, as conditions on `s`. */
function ownSessions(ctx: SignedInContext): Expression<SqlBool> {
  const now = ctx.clock.now();
  const idle = new Date(now.getTime() - ctx.services.settings.current.session_expire_delay * MINUTE_MS);
  return onSessions.and([
    onSessions('s.user_id', '=', ctx.caller.user.id),
    onSessions('s.expires_at', '>', now),
    onSessions('s.last_used_at', '>', idle),
  ]);
}

/** Ends the caller's sessions that match a condition and records the event. @returns number of sessions */
async function end(ctx: SignedInContext, which: Expression<SqlBool>): Promise<number> {
  const sessions = await ctx.em
    .getKysely<AuthDatabase>()
    .deleteFrom('user_sessions as s')
    .where(ownSessions(ctx))
    .where(which)
    .returning(['s.id', 's.ip_address'])
    .execute();
  if (sessions.length === 0) return 0;
  ctx.record({ type: 'user.sessions_ended', user: ctx.caller.user, sessions });
  ctx.afterCommit(() => ctx.services.forgetCallers());
  return sessions.length;
}

/** List where the caller is signed in, what was used last first: never more than a hundred. */
export const listOwnSessions = operation({
  name: 'listOwnSessions',
  summary: 'List your own sessions',
  resource: instance,
  kind: 'read',
  can: inSession,
  run: (ctx) =>
    ctx.em
      .getKysely<AuthDatabase>()
      .selectFrom('user_sessions as s')
      .select(columns(UserSession, 's'))
      .where(ownSessions(ctx))
      .orderBy('s.last_used_at', 'desc')
      .orderBy('s.id', 'desc')
      .execute(),
});

/** End one session of the caller: its cookie is refused from then on. */
export const endOwnSession = operation({
  name: 'endOwnSession',
  summary: 'End one of your sessions',
  resource: instance,
  kind: 'write',
  can: inSession,
  params: { session_id: integer().describe('ID of the session.') },
  async run(ctx, _instance, input) {
    if ((await end(ctx, onSessions('s.id', '=', input.session_id))) === 0) throw new NotFound('Session');
  },
});

/** End every session of the caller but the one in use. */
export const endOtherSessions = operation({
  name: 'endOtherSessions',
  summary: 'End all your other sessions',
  resource: instance,
  kind: 'write',
  can: inSession,
  async run(ctx) {
    await end(ctx, onSessions('s.id', '<>', ctx.caller.session?.id ?? 0));
  },
});

import type { SignedInContext } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { instance, operation } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { inSession } from '../personal-access-tokens/in-session.js';
import { UserSession } from './user-session.entity.js';

const MINUTE_MS = 60_000;

/** Sessions of the caller that are not over, as conditions on `s`. */
function ownSessions(ctx: SignedInContext): Fragment {
  const now = ctx.clock.now();
  const idle = new Date(now.getTime() - ctx.services.settings.current.session_expire_delay * MINUTE_MS);
  return sql`s.user_id = ${ctx.caller.user.id} and s.expires_at > ${now} and s.last_used_at > ${idle}`;
}

/** Ends sessions of the caller by their list, and tells of it. @returns how many there were */
async function end(ctx: SignedInContext, which: Fragment): Promise<number> {
  const sessions = await ctx.query<{ id: number; ip_address: string | null }>(sql`
    delete from user_sessions s where ${ownSessions(ctx)} and ${which}
    returning s.id as "id", s.ip_address as "ip_address"`);
  if (sessions.length === 0) return 0;
  ctx.record({ type: 'user.sessions_ended', user: ctx.caller.user, sessions });
  ctx.afterCommit(() => ctx.services.forgetCallers());
  return sessions.length;
}

/** List where the caller is signed in, what was used last first: never more than a hundred. */
export const listOwnSessions = operation({
  name: 'listOwnSessions',
  summary: 'List the own sessions',
  subject: instance,
  kind: 'read',
  can: inSession,
  run: (ctx) =>
    ctx.query<UserSession>(sql`
      select ${textColumns(UserSession, 's')} from user_sessions s where ${ownSessions(ctx)}
       order by s.last_used_at desc, s.id desc`),
});

/** End one session of the caller: its cookie is refused from then on. */
export const endOwnSession = operation({
  name: 'endOwnSession',
  summary: 'End a session of one’s own',
  subject: instance,
  kind: 'write',
  can: inSession,
  params: { session_id: integer().describe('Id of the session.') },
  async run(ctx, _instance, input) {
    if ((await end(ctx, sql`s.id = ${input.session_id}`)) === 0) throw new NotFound('Session');
  },
});

/** End every session of the caller but the one in use. */
export const endOtherSessions = operation({
  name: 'endOtherSessions',
  summary: 'End all other sessions of one’s own',
  subject: instance,
  kind: 'write',
  can: inSession,
  async run(ctx) {
    await end(ctx, sql`s.id <> ${ctx.caller.session?.id ?? 0}`);
  },
});

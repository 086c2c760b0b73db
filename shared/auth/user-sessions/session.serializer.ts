import type { CallerUser } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { UserSession } from './user-session.entity.js';

/** The signed-in user, as shown on pages. */
const self = serializer<CallerUser>('SessionUser', {
  id: out.integer((user) => user.id),
  username: out.text((user) => user.username),
  name: out.text((user) => user.name),
  is_admin: out.boolean((user) => user.admin),
  is_auditor: out.boolean((user) => user.auditor),
  web_url: out.text((user, ctx) => `${ctx.config.externalUrl}/${user.username}`),
});

/** The signed-in user as pages see them. */
export const presentSelf = (ctx: Context, user: CallerUser): Record<string, unknown> => self.present(user, ctx);

/** A session as its own person sees it: nothing that opens it. */
export const ownSessionSerializer = serializer<UserSession>('OwnSession', {
  id: out.integer((session) => session.id),
  current: out.boolean((session, ctx) => session.id === ctx.caller.session?.id),
  ip_address: out.nullableText((session) => session.ip_address ?? null),
  user_agent: out.text((session) => session.user_agent),
  created_at: out.instant((session) => session.created_at),
  last_used_at: out.instant((session) => session.last_used_at),
  expires_at: out.instant((session) => session.expires_at),
});

import { out, shape } from '../../core/operations/shape.js';
import type { UserSession } from './user-session.entity.js';

/** A session as its own person sees it: nothing that opens it. */
export const ownSessionShape = shape<UserSession>('OwnSession', {
  id: out.integer((session) => session.id),
  current: out.boolean((session, ctx) => session.id === ctx.caller.session?.id),
  ip_address: out.nullableText((session) => session.ip_address ?? null),
  user_agent: out.text((session) => session.user_agent),
  created_at: out.instant((session) => session.created_at),
  last_used_at: out.instant((session) => session.last_used_at),
  expires_at: out.instant((session) => session.expires_at),
});

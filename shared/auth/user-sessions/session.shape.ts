import type { CallerUser } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { out, shape } from '../../core/operations/shape.js';

/** What a page shows of the person who looks at it. */
const self = shape<CallerUser>('SessionUser', {
  id: out.integer((user) => user.id),
  username: out.text((user) => user.username),
  name: out.text((user) => user.name),
  is_admin: out.boolean((user) => user.admin),
  is_auditor: out.boolean((user) => user.auditor),
  web_url: out.text((user, ctx) => `${ctx.config.externalUrl}/${user.username}`),
});

/** The signed-in user as pages see them. */
export const presentSelf = (ctx: Context, user: CallerUser): Record<string, unknown> => self.present(user, ctx);

import { instance, operation } from '../core/operation.js';
import { columns, sql } from '../core/sql.js';
import { User } from './user.entity.js';

/** Read one's own record. Clients call it at start to see whom a token belongs to. */
export const getCurrentUser = operation({
  summary: "Read the caller's own record",
  subject: instance,
  kind: 'read',
  scopes: ['api', 'read_api', 'read_user'],
  statements: 2,
  async run(ctx) {
    const user = await ctx.queryOne<User & { namespace_id: number | null }>(sql`
      select ${columns(User, 'u')}, n.id as "namespace_id" from users u
        left join namespaces n on n.owner_id = u.id where u.id = ${ctx.signedInUser.id}`);
    return user as NonNullable<typeof user>;
  },
});

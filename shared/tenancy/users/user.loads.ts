import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { loadAttributes } from '../custom-attributes/custom-attribute.shape.js';
import type { UserRecord } from './user.finder.js';
import { userPolicy } from './user.policy.js';
import type { UserIdentity } from '../user-profile/user-relations.entity.js';

const idsOf = (users: readonly UserRecord[]) => users.map(({ id }) => id);

/** Counts personal projects, which decide whether another may be made, for those users that show it. */
async function loadPersonalProjects(ctx: Context, users: readonly UserRecord[]) {
  const shown = users.filter((user) => user.namespace_id !== null);
  if (shown.length === 0) return;
  const counts = await ctx.query<{ namespace_id: number; count: number }>(sql`
    select p.namespace_id as "namespace_id", count(*) as "count" from projects p
     where p.namespace_id = any(${shown.map((user) => user.namespace_id)}::bigint[]) group by p.namespace_id`);
  const byNamespace = new Map(counts.map((row) => [row.namespace_id, row.count]));
  for (const user of shown) user.personal_projects = byNamespace.get(user.namespace_id as number) ?? 0;
}

async function loadIdentities(ctx: Context, users: readonly UserRecord[]) {
  const rows = await ctx.query<Pick<UserIdentity, 'user_id' | 'provider' | 'extern_uid'>>(sql`
    select i.user_id, i.provider, i.extern_uid from user_identities i
     where i.user_id = any(${idsOf(users)}::bigint[]) order by i.id`);
  for (const user of users) user.identities = rows.filter((row) => row.user_id === user.id);
}

interface Follows {
  id: number;
  followers: number;
  following: number;
  is_followed: boolean;
}

async function loadFollows(ctx: Context, users: readonly UserRecord[]) {
  const rows = await ctx.query<Follows>(sql`
    select u.id, (select count(*) from user_follows f where f.followee_id = u.id) as "followers",
           (select count(*) from user_follows f where f.follower_id = u.id) as "following",
           exists (select 1 from user_follows f
                    where f.followee_id = u.id and f.follower_id = ${ctx.caller.id}) as "is_followed"
      from unnest(${idsOf(users)}::bigint[]) u (id)`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const user of users) user.follows = byId.get(user.id);
}

/** What users' shapes show from other tables, for a whole page in one exchange; for each user only what is shown. */
export async function loadUsers(ctx: Context, users: readonly UserRecord[]): Promise<void> {
  const detailed = users.filter((user) => userPolicy.read_user_details(ctx.caller, user));
  const profiled = users.filter((user) => userPolicy.read_user_profile(ctx.caller, user));
  await Promise.all([
    loadAttributes(ctx, 'user', users),
    detailed.length > 0 && loadPersonalProjects(ctx, detailed),
    detailed.length > 0 && loadIdentities(ctx, detailed),
    profiled.length > 0 && loadFollows(ctx, profiled),
  ]);
}

import type { UserRecord } from './user.record.js';
import type { Context } from '../../core/context.js';
import { load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import { userPolicy } from './user.policy.js';
import type { UserIdentity } from './user-relations.entity.js';

const idOf = ({ id }: Readonly<UserRecord>) => id;

const detailed = (ctx: Context, users: readonly Readonly<UserRecord>[]) =>
  users.filter((user) => userPolicy.read_user_details(ctx.caller, user));

/** Counts personal projects, which decide whether another may be made, for those users that show it. */
export const personalProjects = load(
  (user: Readonly<UserRecord>) => user.namespace_id,
  async (ctx, users) => {
    const shown = detailed(ctx, users).filter((user) => user.namespace_id !== null);
    if (shown.length === 0) return new Map<number, number>();
    const counts = await ctx.query<{ namespace_id: number; count: number }>(sql`
      select p.namespace_id as "namespace_id", count(*) as "count" from projects p
       where p.namespace_id = any(${shown.map((user) => user.namespace_id)}::bigint[]) group by p.namespace_id`);
    return new Map<number | null, number>(counts.map((row) => [row.namespace_id, row.count]));
  },
);

/** As whom those users that show it are known elsewhere. */
export const identities = load(idOf, async (ctx, users) => {
  const shown = detailed(ctx, users);
  if (shown.length === 0) return new Map<number, never>();
  const rows = await ctx.query<Pick<UserIdentity, 'user_id' | 'provider' | 'extern_uid'>>(sql`
    select i.user_id, i.provider, i.extern_uid from user_identities i
     where i.user_id = any(${shown.map(idOf)}::bigint[]) order by i.id`);
  return Map.groupBy(rows, (row) => row.user_id);
});

interface Follows {
  id: number;
  followers: number;
  following: number;
  is_followed: boolean;
}

/** How many follow those users that show it, and whom they follow. */
export const follows = load(idOf, async (ctx, users) => {
  const shown = users.filter((user) => userPolicy.read_user_profile(ctx.caller, user));
  if (shown.length === 0) return new Map<number, never>();
  const rows = await ctx.query<Follows>(sql`
    select u.id, (select count(*) from user_follows f where f.followee_id = u.id) as "followers",
           (select count(*) from user_follows f where f.follower_id = u.id) as "following",
           exists (select 1 from user_follows f
                    where f.followee_id = u.id and f.follower_id = ${ctx.caller.id}) as "is_followed"
      from unnest(${shown.map(idOf)}::bigint[]) u (id)`);
  return new Map(rows.map((row) => [row.id, row]));
});

/** What users' shapes show from other tables, for each user only what is shown. */
export const userLoads = [personalProjects, identities, follows];

import type pg from 'pg';
import type { Keys } from '../../../shared/core/values/secrets.js';
import { busyGroupId } from './deliveries.js';
import { planningGroupId } from './planning.js';
import { userId } from './sizes.js';
import type { Sizes } from './sizes.js';

/** Callers in measurements, and their tokens. */
export const CALLERS = {
  /** A member of some 500 projects, most of them through groups. */
  member: { number: 1, token: 'a-token-of-a-member-of-many-projects' },
  /** A user with the few memberships that most users have. */
  user: { number: 2, token: 'a-token-of-somebody-like-all-others' },
  admin: { number: 4, token: 'a-token-of-an-administrator-for-benches' },
  /** A Reporter of the group with many issues, who deploys in the busy one; and a Guest. */
  reporter: { number: 5, token: 'a-token-of-a-reporter-of-many-issues' },
  guest: { number: 6, token: 'a-token-of-a-guest-among-many-issues' },
} as const;

export type CallerName = keyof typeof CALLERS;

const THROUGH_GROUPS = 400;
const ALTOGETHER = 500;

/** Groups without subgroups, the largest first, as long as their total number of projects stays within the target. */
const JOIN_GROUPS = `
  insert into group_members (namespace_id, user_id, access_level, created_at)
  select f.id, $1, (array[50, 40, 30, 20])[1 + f.place % 4], now() from (
    select n.id, row_number() over wide as place, sum(count(p.id)) over wide as together
      from namespaces n join projects p on p.namespace_id = n.id
     where n.kind = 'group' and not exists (select 1 from namespaces c where c.parent_id = n.id)
     group by n.id window wide as (order by count(p.id) desc, n.id)) f
   where f.together <= $2
  on conflict (namespace_id, user_id) do nothing`;

const JOIN_PROJECTS = `
  insert into project_members (project_id, user_id, access_level, created_at)
  select p.id, $1, (array[50, 40, 30, 20])[1 + p.id % 4], now()
    from projects p join namespaces n on n.id = p.namespace_id
   where n.kind = 'group' and p.id not in (select m.project_id from project_members m where m.user_id = $1)
     and not exists (select 1 from group_members m where m.user_id = $1 and m.namespace_id = any(n.traversal_ids))
   order by p.id limit greatest(0, $2 - (
     select count(*) from projects j join namespaces at on at.id = j.namespace_id
      where at.owner_id = $1 or exists (select 1 from project_members m where m.user_id = $1 and m.project_id = j.id)
         or exists (select 1 from group_members m where m.user_id = $1 and m.namespace_id = any(at.traversal_ids))))`;

/** Gives the callers their tokens and memberships. */
export async function addCallers(db: pg.ClientBase, keys: Keys, sizes: Sizes): Promise<void> {
  for (const { number, token } of Object.values(CALLERS))
    await db.query(
      `insert into personal_access_tokens (user_id, name, digest, scopes, created_at, updated_at)
       values ($1, 'bench', $2, '{api}', now(), now())`,
      [userId(number), keys.digest(token)],
    );
  await db.query('update users set admin = true where id = $1', [userId(CALLERS.admin.number)]);
  const member = userId(CALLERS.member.number);
  await db.query(JOIN_GROUPS, [member, THROUGH_GROUPS]);
  await db.query(JOIN_PROJECTS, [member, ALTOGETHER]);
  await db.query(
    `insert into group_members (namespace_id, user_id, access_level, created_at)
     select $1, m.user_id, m.access_level, now() from unnest($2::bigint[], $3::int[]) as m (user_id, access_level)
     on conflict (namespace_id, user_id) do update set access_level = excluded.access_level, expires_on = null`,
    [planningGroupId(sizes), [userId(CALLERS.reporter.number), userId(CALLERS.guest.number)], [20, 10]],
  );
  await db.query(
    `insert into group_members (namespace_id, user_id, access_level, created_at) values ($1, $2, 30, now())
     on conflict (namespace_id, user_id) do update set access_level = 30, expires_on = null`,
    [busyGroupId(sizes), userId(CALLERS.reporter.number)],
  );
}

import type { Context } from '../core/context.js';
import { sql } from '../core/sql.js';
import type { Sql } from '../core/sql.js';

/** Today by the database's clock, UTC: a membership ends on the day that its `expires_on` names. */
export function today(ctx: Context): string {
  return ctx.clock.now().toISOString().slice(0, 10);
}

/**
 * The caller's memberships as (namespace_id, level) rows: groups directly, and the personal namespace.
 * A namespace's level holds for everything below it.
 */
function namespaceLevels(userId: number | Sql, day: string): Sql {
  return sql`
    select m.namespace_id, m.access_level as level from group_members m
     where m.user_id = ${userId} and (m.expires_on is null or m.expires_on > ${day}::date)`;
}

/**
 * The effective access level of a user in project `p` of namespace `n`: the highest of direct membership,
 * memberships in the namespace or above it, and owning the personal namespace (core-resources.md section 4).
 * @param userId a user's id, or SQL for it where many users are asked about at once
 */
export function projectAccess(userId: number | Sql, day: string): Sql {
  if (userId === 0) return sql`0`;
  return sql`
    greatest(
      case when n.owner_id = ${userId} then 50 else 0 end,
      coalesce((select max(m.access_level) from project_members m
        where m.project_id = p.id and m.user_id = ${userId}
          and (m.expires_on is null or m.expires_on > ${day}::date)), 0),
      coalesce((select max(g.level) from (${namespaceLevels(userId, day)}) g
        where g.namespace_id = any(n.traversal_ids)), 0))`;
}

/** The effective access level of a user in namespace `n`. */
export function namespaceAccess(userId: number | Sql, day: string): Sql {
  if (userId === 0) return sql`0`;
  return sql`
    greatest(
      case when n.owner_id = ${userId} then 50 else 0 end,
      coalesce((select max(g.level) from (${namespaceLevels(userId, day)}) g
        where g.namespace_id = any(n.traversal_ids)), 0))`;
}

/** A membership that still holds on `day`, as a condition on `m`. */
function holds(userId: number, day: string, level: number): Sql {
  return sql`m.user_id = ${userId} and m.access_level >= ${level} and (m.expires_on is null or m.expires_on > ${day}::date)`;
}

/**
 * Whether the caller is a member of project `p` at `level` or above, by any way. Arrays rather than `in (select …)`:
 * with them each branch is served by an index, so that a list costs what the caller sees, not what there is.
 */
export function memberOfProject(userId: number, day: string, level = 10): Sql {
  return sql`(
    p.id = any(array(select m.project_id from project_members m where ${holds(userId, day, level)}))
    or p.namespace_id = any(array(
      select o.id from namespaces o where o.owner_id = ${userId}
      union all
      select d.id from group_members m join namespaces d on d.traversal_ids @> array[m.namespace_id]
       where ${holds(userId, day, level)})))`;
}

/** Whether the caller is a member of group `n` at `level` or above, directly or from above, as indexes serve it. */
export function memberOfGroup(userId: number, day: string, level = 1): Sql {
  return sql`n.traversal_ids && array(select m.namespace_id from group_members m where ${holds(userId, day, level)})`;
}

/** Namespaces in which the caller has something: groups joined, and the namespaces of projects joined. */
function joined(userId: number, day: string): Sql {
  return sql`
    select d.traversal_ids from group_members m join namespaces d on d.id = m.namespace_id where ${holds(userId, day, 1)}
    union all
    select d.traversal_ids from project_members m join projects j on j.id = m.project_id
      join namespaces d on d.id = j.namespace_id where ${holds(userId, day, 10)}`;
}

/** Whether the caller is a member of anything in or below namespace `n`, for one record. */
export function memberBelow(userId: number, day: string): Sql {
  if (userId === 0) return sql`false`;
  return sql`exists (select 1 from (${joined(userId, day)}) j where n.id = any(j.traversal_ids))`;
}

/** The same as {@link memberBelow} for lists: the caller's few memberships lead to the groups, not the other way. */
export function aboveMembership(userId: number, day: string): Sql {
  return sql`n.id in (select unnest(j.traversal_ids) from (${joined(userId, day)}) j)`;
}

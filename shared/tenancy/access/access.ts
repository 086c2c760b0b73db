import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';

/*
 * Effective access (core-resources.md section 4): the highest of direct roles, roles inherited from groups above, and
 * what shares give, which is a role in the invited group, at most the share's level. Of a group that is invited to a
 * group only its direct members count; of one invited to a project also those that it inherits or has by shares of
 * its own (shared/core/decisions/0019-shares.md). Minimal access is no role that a share could pass on.
 */

/** Today by the database's clock, UTC: a membership ends on the day that its `expires_on` names. */
export function today(ctx: Context<Caller>): string {
  return ctx.clock.now().toISOString().slice(0, 10);
}

/** The least level that a share passes on. */
const GUEST = 10;

/** That a membership or share still holds on `day`, as a condition on its table's alias. */
export function unexpired(alias: string, day: string): Sql {
  const expires = raw(`${alias}.expires_on`);
  return sql`(${expires} is null or ${expires} > ${day}::date)`;
}

/**
 * That membership `m` of user `u` is an Owner who can answer for a group: a person who is active. A token's bot goes
 * with its token.
 */
export function answersFor(day: string): Sql {
  return sql`m.access_level = 50 and ${unexpired('m', day)} and u.state = 'active' and not u.bot`;
}

/**
 * A user's roles as (namespace_id, level) rows, of `least` or above: in groups joined, and in groups that those were
 * invited to. Each holds for everything below its namespace.
 * @param userId a user's id, or SQL for it where many users are asked about at once
 */
function namespaceLevels(userId: number | Sql, day: string, least = 1): Sql {
  return sql`
    select m.namespace_id, m.access_level as level from group_members m
     where m.user_id = ${userId} and m.access_level >= ${least} and ${unexpired('m', day)}
    union all
    select s.namespace_id, least(m.access_level, s.group_access)
      from group_members m join group_shares s on s.group_id = m.namespace_id
     where m.user_id = ${userId} and m.access_level >= ${Math.max(least, GUEST)} and ${unexpired('m', day)}
       and s.group_access >= ${least} and ${unexpired('s', day)}`;
}

/** That a share of a project counts: not expired, and not locked by the group that the project lies in. */
export function projectShareHolds(alias: string, projectAlias: string, day: string): Sql {
  return sql`${unexpired(alias, day)} and not exists (
    select 1 from group_settings locking
     where locking.namespace_id = ${raw(projectAlias)}.namespace_id and locking.share_with_group_lock)`;
}

/**
 * Whether a group as a whole has access to project `p` of namespace `n`: the project lies in or below it, or one of
 * these is shared with it.
 * @param groupId SQL for the group's id
 */
export function groupHasProject(groupId: Sql, day: string): Sql {
  return sql`(
    ${groupId} = any(n.traversal_ids)
    or exists (select 1 from project_shares ps
      where ps.project_id = p.id and ps.group_id = ${groupId} and ${projectShareHolds('ps', 'p', day)})
    or exists (select 1 from group_shares s
      where s.namespace_id = any(n.traversal_ids) and s.group_id = ${groupId} and ${unexpired('s', day)}))`;
}

function namespaceLevel(userId: number | Sql, day: string): Sql {
  return sql`
      case when n.owner_id = ${userId} then 50 else 0 end,
      coalesce((select max(g.level) from (${namespaceLevels(userId, day)}) g
        where g.namespace_id = any(n.traversal_ids)), 0)`;
}

/**
 * The effective access level of a user in project `p` of namespace `n`: the highest of direct membership,
 * roles in the namespace or above it, shares, and owning the personal namespace.
 * @param userId a user's id, or SQL for it where many users are asked about at once
 */
export function projectAccess(userId: number | Sql, day: string): Sql {
  if (userId === 0) return sql`0`;
  return sql`
    greatest(
      ${namespaceLevel(userId, day)},
      coalesce((select max(m.access_level) from project_members m
        where m.project_id = p.id and m.user_id = ${userId} and ${unexpired('m', day)}), 0),
      coalesce((select max(least(ps.group_access, g.level))
         from project_shares ps join namespaces invited on invited.id = ps.group_id
         join (${namespaceLevels(userId, day, GUEST)}) g on g.namespace_id = any(invited.traversal_ids)
        where ps.project_id = p.id and ${projectShareHolds('ps', 'p', day)}), 0))`;
}

/** The effective access level of a user in namespace `n`. */
export function namespaceAccess(userId: number | Sql, day: string): Sql {
  if (userId === 0) return sql`0`;
  return sql`greatest(${namespaceLevel(userId, day)})`;
}

/** Ids of projects that were shared with groups in which the user has `level` or above. */
function sharedProjects(userId: number, day: string, level: number): Sql {
  return sql`
    select ps.project_id as id
      from (${namespaceLevels(userId, day, level)}) g
      join namespaces invited on invited.traversal_ids @> array[g.namespace_id]
      join project_shares ps on ps.group_id = invited.id
      join projects shared on shared.id = ps.project_id
     where ps.group_access >= ${level} and ${projectShareHolds('ps', 'shared', day)}`;
}

/**
 * Whether the caller is a member of project `p` at `level` or above, by any way. Arrays rather than `in (select …)`:
 * with them each branch is served by an index, so that a list costs what the caller sees, not what there is.
 */
export function memberOfProject(userId: number, day: string, level = GUEST): Sql {
  return sql`(
    p.id = any(array(
      select m.project_id from project_members m
       where m.user_id = ${userId} and m.access_level >= ${level} and ${unexpired('m', day)}
      union all
      ${sharedProjects(userId, day, level)}))
    or p.namespace_id = any(array(
      select o.id from namespaces o where o.owner_id = ${userId}
      union all
      select d.id from (${namespaceLevels(userId, day, level)}) g
        join namespaces d on d.traversal_ids @> array[g.namespace_id])))`;
}

/** Whether the caller has `level` or above in group `n`, by any way, as indexes serve it. */
export function memberOfGroup(userId: number, day: string, level = 1): Sql {
  return sql`n.traversal_ids && array(
    select g.namespace_id from (${namespaceLevels(userId, day, level)}) g)`;
}

/** Places of namespaces in which the caller has something: groups, and the namespaces of projects. */
function joined(userId: number, day: string): Sql {
  return sql`
    select d.traversal_ids from (${namespaceLevels(userId, day)}) g join namespaces d on d.id = g.namespace_id
    union all
    select d.traversal_ids
      from (select m.project_id as id from project_members m
             where m.user_id = ${userId} and m.access_level >= ${GUEST} and ${unexpired('m', day)}
            union all ${sharedProjects(userId, day, GUEST)}) own
      join projects j on j.id = own.id join namespaces d on d.id = j.namespace_id`;
}

/**
 * Whether the caller is a member of anything in or below namespace `n`. Asked once for a whole statement: the caller's
 * few memberships lead to the groups, not the other way.
 */
export function aboveMembership(userId: number, day: string): Sql {
  if (userId === 0) return sql`false`;
  return sql`n.id = any(array(select distinct unnest(j.traversal_ids) from (${joined(userId, day)}) j))`;
}

import type { Context } from '../../core/context.js';
import { ACCESS_LEVELS } from '../../core/policy.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { namespaceAccess, projectAccess, projectShareHolds, today, unexpired } from '../../tenancy/access/access.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { GivenEnvironmentEntry } from './entry-params.js';

/** SQL: whether a group is invited to project `p` at this moment. @param groupId SQL for the group's id */
const invitedToProject = (groupId: Fragment, day: string): Fragment => sql`exists (
  select 1 from project_shares ps
   where ps.project_id = p.id and ps.group_id = ${groupId} and ${projectShareHolds('ps', 'p', day)})`;

/**
 * SQL: whether a group is another one, lies below it, or is invited to it at this moment.
 * @param groupId SQL for the group's id
 * @param ofId SQL for the other group's id
 */
const belongsToGroup = (groupId: Fragment, ofId: Fragment, day: string): Fragment => sql`(
  exists (select 1 from namespaces below where below.id = ${groupId} and below.traversal_ids @> array[${ofId}]::bigint[])
  or exists (select 1 from group_shares gs
              where gs.namespace_id = ${ofId} and gs.group_id = ${groupId} and ${unexpired('gs', day)}))`;

/** SQL: whether the group of entry `l` may be named where protected environment `pe` belongs, at this moment. */
export const groupBelongs = (day: string): Fragment => sql`
  case when pe.project_id is null
    then ${belongsToGroup(raw('l.group_id'), raw('pe.namespace_id'), day)}
    else exists (select 1 from projects p where p.id = pe.project_id and ${invitedToProject(raw('l.group_id'), day)})
  end`;

/** SQL: a user's role, 0 for none, where protected environment `pe` belongs. @param userId SQL for the user's id */
export const roleAt = (userId: Fragment, day: string): Fragment => sql`
  case when pe.project_id is null
    then (select ${namespaceAccess(userId, day)} from namespaces n where n.id = pe.namespace_id)
    else (select ${projectAccess(userId, day)} from projects p join namespaces n on n.id = p.namespace_id
           where p.id = pe.project_id)
  end`;

function ofProject(id: number, users: readonly number[], groups: readonly number[], day: string): Fragment {
  return sql`
    select 'user' as "kind", u.id as "id" from users u, projects p join namespaces n on n.id = p.namespace_id
     where p.id = ${id} and u.id = any(${users}::bigint[])
       and ${projectAccess(raw('u.id'), day)} >= ${ACCESS_LEVELS.developer}
    union all
    select 'group', g.id from namespaces g, projects p
     where p.id = ${id} and g.kind = 'group' and g.id = any(${groups}::bigint[]) and ${invitedToProject(raw('g.id'), day)}`;
}

function ofGroup(id: number, users: readonly number[], groups: readonly number[], day: string): Fragment {
  return sql`
    select 'user' as "kind", m.user_id as "id" from namespaces n join group_members m on m.namespace_id = any(n.traversal_ids)
     where n.id = ${id} and m.user_id = any(${users}::bigint[])
       and m.access_level >= ${ACCESS_LEVELS.maintainer} and ${unexpired('m', day)}
    union all
    select 'group', g.id from namespaces g
     where g.kind = 'group' and g.id = any(${groups}::bigint[]) and ${belongsToGroup(raw('g.id'), sql`${id}::bigint`, day)}`;
}

/**
 * Whom entries of a container may name (protected-environments.md section 5): asks by one statement about all that the
 * given entries name. What does not qualify is to be dropped.
 */
export async function qualifying(
  ctx: Context,
  { kind, id }: Container,
  given: readonly GivenEnvironmentEntry[],
): Promise<(entry: GivenEnvironmentEntry) => boolean> {
  const kept = given.filter((entry) => entry._destroy !== true);
  const users = kept.flatMap((entry) => entry.user_id ?? []);
  const groups = kept.flatMap((entry) => entry.group_id ?? []);
  if (users.length + groups.length === 0) return () => true;
  const named = (kind === 'project' ? ofProject : ofGroup)(id, users, groups, today(ctx));
  const rows = await ctx.query<{ kind: 'user' | 'group'; id: number }>(named);
  const known = new Set(rows.map((row) => `${row.kind} ${row.id}`));
  const isKnown = (of: 'user' | 'group', wanted: number | null | undefined) =>
    wanted === null || wanted === undefined || known.has(`${of} ${wanted}`);
  return (entry) => isKnown('user', entry.user_id) && isKnown('group', entry.group_id);
}

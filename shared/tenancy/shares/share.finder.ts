import type { GroupRecord } from '../groups/group.record.js';
import type { ProjectRecord } from '../projects/project.record.js';
import { containerTable } from '../../core/container.js';
import type { ContainerKind, ContainerRef } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { or, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { visibleGroupsCondition } from '../groups/group.finder.js';
import { groupPolicy } from '../groups/group.policy.js';
import { projectShareHolds, today, unexpired } from '../access/access.js';
import { projectPolicy } from '../projects/project.policy.js';
import { GroupShare, ProjectShare } from './share.entity.js';

/** A group as it is invited to a project or to another group. */
export interface InvitedGroup {
  id: number;
  group_id: number;
  group_name: string;
  group_full_path: string;
  group_access: number;
  expires_on: string | null;
  created_at: Date;
}

const ENTITIES = { project: ProjectShare, group: GroupShare } as const;

/** The share of one project or group with one group, if it has not ended. */
export function findShare(
  ctx: Context,
  { kind, id }: ContainerRef,
  groupId: number,
): Promise<((ProjectShare | GroupShare) & { group_full_path: string }) | null> {
  const { table, column } = containerTable(kind, 'shares');
  return ctx.queryOne(sql`
    select ${textColumns(ENTITIES[kind], 's')}, r.path as "group_full_path"
      from ${table} s join routes r on r.namespace_id = s.group_id
     where s.${column} = ${id} and s.group_id = ${groupId} and ${unexpired('s', today(ctx))}`);
}

/**
 * The groups that are invited to each of some projects or groups, by its id, in the order of invitation.
 * @param inFull of these all are told; of others those that the caller may read
 */
async function invited(ctx: Context, kind: ContainerKind, sourceIds: readonly number[], inFull: readonly number[]) {
  const { table, column } = containerTable(kind, 'shares');
  const told = or([sql`s.${column} = any(${inFull}::bigint[])`, visibleGroupsCondition(ctx)]);
  const rows = await ctx.query<InvitedGroup & { source_id: number }>(sql`
    select s.id as "id", s.${column} as "source_id", s.group_id as "group_id", n.name as "group_name",
           r.path as "group_full_path", s.group_access as "group_access", s.expires_on as "expires_on",
           s.created_at as "created_at"
      from ${table} s join namespaces n on n.id = s.group_id join group_settings gs on gs.namespace_id = n.id
      join routes r on r.namespace_id = n.id
     where s.${column} = any(${sourceIds}::bigint[]) and ${unexpired('s', today(ctx))} and (${told}) order by s.id`);
  return Map.groupBy(rows, (row) => row.source_id);
}

const idsOf = (records: readonly { id: number }[]) => records.map((record) => record.id);

/** Groups invited to some groups: all of them for Owners, else those that the caller may read. By one statement. */
export function invitedToGroups(ctx: Context, groups: readonly GroupRecord[]): Promise<Map<number, InvitedGroup[]>> {
  const owned = groups.filter((group) => groupPolicy.admin_group(ctx.caller, group));
  return invited(ctx, 'group', idsOf(groups), idsOf(owned));
}

/** Groups invited to some projects: all of them for Maintainers, else those that the caller may read. By one statement. */
export function invitedToProjects(
  ctx: Context,
  projects: readonly ProjectRecord[],
): Promise<Map<number, InvitedGroup[]>> {
  const owned = projects.filter((project) => projectPolicy.admin_project(ctx.caller, project));
  return invited(ctx, 'project', idsOf(projects), idsOf(owned));
}

/** Projects `p` that are shared with a group, as a condition. */
export function sharedWithGroup(ctx: Context, groupId: number): Fragment {
  return sql`exists (select 1 from project_shares s
    where s.project_id = p.id and s.group_id = ${groupId} and ${projectShareHolds('s', 'p', today(ctx))})`;
}

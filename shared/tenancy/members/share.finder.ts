import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { GroupRecord } from '../groups/group.entity.js';
import type { ProjectRecord } from '../projects/project.entity.js';
import { containerTable } from '../../core/operations/container.js';
import type { ContainerKind, ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { anyOf } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { visibleGroupsCondition } from '../groups/group.finder.js';
import { groupPolicy } from '../groups/group.policy.js';
import { projectShareHolds, today, unexpired } from '../namespaces/access.js';
import { projectPolicy } from '../projects/project.policy.js';
import { SHARES } from './share.entity.js';
import type { GroupShare, ProjectShare } from './share.entity.js';

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

/** The share of one project or group with one group, if it has not ended. */
export function findShare(
  ctx: Context,
  { kind, id }: ContainerRef,
  groupId: number,
): Promise<((ProjectShare | GroupShare) & { group_full_path: string }) | undefined> {
  const { table, column } = containerTable(kind, 'shares');
  return ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom(`${table} as s`)
    .innerJoin('routes as r', 'r.namespace_id', 's.group_id')
    .select([...columns(SHARES[kind], 's'), 'r.path as group_full_path'])
    .where(`s.${column}`, '=', id)
    .where('s.group_id', '=', groupId)
    .where(unexpired('s', today(ctx)))
    .executeTakeFirst();
}

/**
 * The groups invited to each of several projects or groups, by its id, in order of invitation.
 * @param inFull ids whose shares are all listed; for others, only groups that the caller may read
 */
async function invited(ctx: Context, kind: ContainerKind, sourceIds: readonly number[], inFull: readonly number[]) {
  const { table, column } = containerTable(kind, 'shares');
  const rows = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom(`${table} as s`)
    .innerJoin('namespaces as n', 'n.id', 's.group_id')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .innerJoin('routes as r', 'r.namespace_id', 'n.id')
    .select([
      's.id',
      `s.${column} as source_id`,
      's.group_id',
      'n.name as group_name',
      'r.path as group_full_path',
      's.group_access',
      's.expires_on',
      's.created_at',
    ])
    .where(`s.${column}`, '=', anyOf(sourceIds, 'bigint'))
    .where(unexpired('s', today(ctx)))
    .where((eb) => eb.or([eb(`s.${column}`, '=', anyOf(inFull, 'bigint')), visibleGroupsCondition(ctx)]))
    .orderBy('s.id')
    .execute();
  return Map.groupBy(rows, (row) => row.source_id);
}

const getIds = (records: readonly { id: number }[]) => records.map((record) => record.id);

/** Groups invited to some groups: all of them for Owners, else those that the caller may read. By one statement. */
export function invitedToGroups(ctx: Context, groups: readonly GroupRecord[]): Promise<Map<number, InvitedGroup[]>> {
  const owned = groups.filter((group) => groupPolicy.admin_group(ctx.caller, group));
  return invited(ctx, 'group', getIds(groups), getIds(owned));
}

/** Groups invited to some projects: all of them for Maintainers, else those that the caller may read. By one statement. */
export function invitedToProjects(
  ctx: Context,
  projects: readonly ProjectRecord[],
): Promise<Map<number, InvitedGroup[]>> {
  const owned = projects.filter((project) => projectPolicy.admin_project(ctx.caller, project));
  return invited(ctx, 'project', getIds(projects), getIds(owned));
}

/** Projects `p` that are shared with a group, as a condition. */
export function sharedWithGroup(ctx: Context, groupId: number): Expression<SqlBool> {
  const eb = expressionBuilder<Aliased<TenancyDatabase, { p: 'projects' }>, 'p'>();
  const shares = eb
    .selectFrom('project_shares as s')
    .select(eb.lit(1).as('one'))
    .whereRef('s.project_id', '=', 'p.id')
    .where('s.group_id', '=', groupId)
    .where(projectShareHolds('s', 'p', today(ctx)));
  return eb.exists(shares);
}

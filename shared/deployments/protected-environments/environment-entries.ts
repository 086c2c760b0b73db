import type { Context } from '../../core/context.js';
import { raw, sql } from '../../core/sql.js';
import { describeLevel } from '../../repositories/protected-refs/access-levels.js';

/** Whom an entry names: exactly one of the first three is set (protected-environments.md section 2). */
export interface EnvironmentEntry {
  access_level: number | null;
  user_id: number | null;
  group_id: number | null;
  /** 0: direct members of the group; 1: inherited ones too. */
  group_inheritance_type: number;
  /** How many of them have to approve; 1 of those who deploy. */
  required_approvals: number;
}

/** An entry as stored, with the name of whom it names. */
export interface EnvironmentEntryRecord extends EnvironmentEntry {
  id: number;
  user_name: string | null;
  group_name: string | null;
}

/** Both kinds of entries, each in a table of its own. */
export type EntryKind = 'deploy_access_levels' | 'approval_rules';

const TABLES = {
  deploy_access_levels: { table: raw('protected_environment_deploy_levels'), approvals: raw('1') },
  approval_rules: { table: raw('protected_environment_approval_rules'), approvals: raw('l.required_approvals') },
} as const;

/** Who an entry names: a role as protected branches and tags describe it, a user or a group by its name. */
export function describeEnvironmentEntry(entry: Omit<EnvironmentEntryRecord, 'id'>): string {
  if (entry.access_level !== null) return describeLevel(entry.access_level);
  return entry.user_name ?? entry.group_name ?? '';
}

/** The entries of one kind of many protected environments, with the names of whom they name, by id. */
export async function loadEnvironmentEntries(
  ctx: Context,
  kind: EntryKind,
  ids: readonly number[],
): Promise<Map<number, EnvironmentEntryRecord[]>> {
  const { table, approvals } = TABLES[kind];
  const rows = await ctx.query<EnvironmentEntryRecord & { owner: number }>(sql`
    select l.id as "id", l.protected_environment_id as "owner", l.access_level as "access_level",
           l.user_id as "user_id", l.group_id as "group_id", l.group_inheritance_type as "group_inheritance_type",
           ${approvals} as "required_approvals", u.name as "user_name", g.name as "group_name"
      from ${table} l left join users u on u.id = l.user_id left join namespaces g on g.id = l.group_id
     where l.protected_environment_id = any(${ids}::bigint[]) order by l.id`);
  return Map.groupBy(rows, (row) => row.owner);
}

const SELECTORS = raw('access_level, user_id, group_id, group_inheritance_type');
const columnOf = <T, K extends keyof T>(rows: readonly T[], key: K) => rows.map((row) => row[key]);

/** Stores new entries, in their order. */
export async function insertEnvironmentEntries(
  ctx: Context,
  kind: EntryKind,
  owner: { id: number },
  entries: readonly EnvironmentEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const { table } = TABLES[kind];
  const approvals = raw(kind === 'approval_rules' ? ', required_approvals' : '');
  await ctx.query(sql`
    insert into ${table} (protected_environment_id, ${SELECTORS} ${approvals})
    select ${owner.id}, ${SELECTORS} ${approvals}
      from unnest(${columnOf(entries, 'access_level')}::int[], ${columnOf(entries, 'user_id')}::bigint[],
                  ${columnOf(entries, 'group_id')}::bigint[], ${columnOf(entries, 'group_inheritance_type')}::int[],
                  ${columnOf(entries, 'required_approvals')}::int[])
           with ordinality as e (access_level, user_id, group_id, group_inheritance_type, required_approvals, position)
     order by e.position`);
}

/** Changes entries in place: their ids stay. */
export async function changeEnvironmentEntries(
  ctx: Context,
  kind: EntryKind,
  owner: { id: number },
  entries: readonly (EnvironmentEntry & { id: number })[],
): Promise<void> {
  if (entries.length === 0) return;
  const approvals = raw(kind === 'approval_rules' ? ', required_approvals = e.required_approvals' : '');
  await ctx.query(sql`
    update ${TABLES[kind].table} l
       set access_level = e.access_level, user_id = e.user_id, group_id = e.group_id,
           group_inheritance_type = e.group_inheritance_type ${approvals}
      from unnest(${columnOf(entries, 'id')}::bigint[], ${columnOf(entries, 'access_level')}::int[],
                  ${columnOf(entries, 'user_id')}::bigint[], ${columnOf(entries, 'group_id')}::bigint[],
                  ${columnOf(entries, 'group_inheritance_type')}::int[], ${columnOf(entries, 'required_approvals')}::int[])
        as e (id, access_level, user_id, group_id, group_inheritance_type, required_approvals)
     where l.protected_environment_id = ${owner.id} and l.id = e.id`);
}

/** Removes entries by their ids. */
export async function removeEnvironmentEntries(
  ctx: Context,
  kind: EntryKind,
  owner: { id: number },
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await ctx.query(sql`
    delete from ${TABLES[kind].table} l
     where l.protected_environment_id = ${owner.id} and l.id = any(${ids}::bigint[])`);
}

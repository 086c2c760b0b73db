import type { AliasableExpression, Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, unnestedRows } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { describeLevel } from '../../repositories/protected-refs/access-levels.js';

import type { DeploymentsDatabase } from '../deployments.entities.js';

/** The subject of an entry: exactly one of the first three is set (protected-environments.md section 2). */
export interface EnvironmentEntry {
  access_level: number | null;
  user_id: number | null;
  group_id: number | null;
  /** 0: direct members of the group; 1: inherited ones too. */
  group_inheritance_type: number;
  /** How many of them have to approve; 1 of those who deploy. */
  required_approvals: number;
}

/** An entry as stored, with the name of its user or group. */
export interface EnvironmentEntryRecord extends EnvironmentEntry {
  id: number;
  user_name: string | null;
  group_name: string | null;
}

/** Both kinds of entries, each in a table of its own. */
export type EntryKind = 'deploy_access_levels' | 'approval_rules';

const TABLES = {
  deploy_access_levels: 'protected_environment_deploy_levels',
  approval_rules: 'protected_environment_approval_rules',
} as const;

/** By the name that typed queries know: approval rules have whatever deploy levels have, and `required_approvals`. */
const getTable = (kind: EntryKind) => TABLES[kind] as (typeof TABLES)['approval_rules'];

/** Who an entry names: a role as protected branches and tags describe it, a user or a group by its name. */
export function describeEnvironmentEntry(entry: Omit<EnvironmentEntryRecord, 'id'>): string {
  if (entry.access_level !== null) return describeLevel(entry.access_level);
  return entry.user_name ?? entry.group_name ?? '';
}

const prepareEntries = (kind: EntryKind) =>
  prepareQuery((db: Kysely<DeploymentsDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
    db
      .selectFrom(`${getTable(kind)} as l`)
      .leftJoin('users as u', 'u.id', 'l.user_id')
      .leftJoin('namespaces as g', 'g.id', 'l.group_id')
      .select((eb) => {
        const approvals: AliasableExpression<number> =
          kind === 'approval_rules' ? eb.ref('l.required_approvals') : constant(1);
        return [
          'l.id',
          'l.protected_environment_id as owner',
          'l.access_level',
          'l.user_id',
          'l.group_id',
          'l.group_inheritance_type',
          approvals.as('required_approvals'),
          'u.name as user_name',
          'g.name as group_name',
        ];
      })
      .where('l.protected_environment_id', '=', anyOf(ids, 'bigint'))
      .orderBy('l.id'),
  );

const findEntries = {
  deploy_access_levels: prepareEntries('deploy_access_levels'),
  approval_rules: prepareEntries('approval_rules'),
};

/** The entries of one kind of many protected environments, with the names of their users and groups, by id. */
export async function loadEnvironmentEntries(
  ctx: Context,
  kind: EntryKind,
  ids: readonly number[],
): Promise<Map<number, EnvironmentEntryRecord[]>> {
  const rows = await findEntries[kind](ctx, { ids });
  return Map.groupBy(rows, (row) => row.owner);
}

const TYPES = {
  access_level: 'int',
  user_id: 'bigint',
  group_id: 'bigint',
  group_inheritance_type: 'int',
  required_approvals: 'int',
} as const;

/** The stored columns of an entry. */
const listStoredColumns = (kind: EntryKind): readonly (keyof EnvironmentEntry)[] => {
  const both = ['access_level', 'user_id', 'group_id', 'group_inheritance_type'] as const;
  return kind === 'approval_rules' ? [...both, 'required_approvals'] : both;
};

/** Stores new entries, in their order. */
export async function insertEnvironmentEntries(
  ctx: Context,
  kind: EntryKind,
  owner: { id: number },
  entries: readonly EnvironmentEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const stored = listStoredColumns(kind);
  await ctx.em
    .getKysely<DeploymentsDatabase>()
    .insertInto(getTable(kind))
    .columns(['protected_environment_id', ...stored])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(entries, TYPES).withPositionAs('e'))
        .select([
          eb.cast<number>(eb.val(owner.id), 'bigint').as('owner'),
          ...stored.map((name) => `e.${name}` as const),
        ])
        .orderBy('e.position'),
    )
    .execute();
}

/** Updates entries in place: their ids stay the same. */
export async function changeEnvironmentEntries(
  ctx: Context,
  kind: EntryKind,
  owner: { id: number },
  entries: readonly (EnvironmentEntry & { id: number })[],
): Promise<void> {
  if (entries.length === 0) return;
  await ctx.em
    .getKysely<DeploymentsDatabase>()
    .updateTable(`${getTable(kind)} as l`)
    .from(unnestedRows(entries, { id: 'bigint', ...TYPES }).as('e'))
    .set((eb) => Object.fromEntries(listStoredColumns(kind).map((name) => [name, eb.ref(`e.${name}`)])))
    .where('l.protected_environment_id', '=', owner.id)
    .whereRef('l.id', '=', 'e.id')
    .execute();
}

/** Removes entries by their ids. */
export async function removeEnvironmentEntries(
  ctx: Context,
  kind: EntryKind,
  owner: { id: number },
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await ctx.em
    .getKysely<DeploymentsDatabase>()
    .deleteFrom(getTable(kind))
    .where('protected_environment_id', '=', owner.id)
    .where('id', '=', anyOf(ids, 'bigint'))
    .execute();
}

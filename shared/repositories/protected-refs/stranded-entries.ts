import type { Expression, SqlBool } from 'kysely';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { contains } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { groupHasProject, projectAccess, today } from '../../tenancy/namespaces/access.js';
import { entryTable, onAccessEntries } from './ref-rights.js';

/** Selects entries to check: of one user, of one group, or of everybody. */
type EntryOwner = { user_id: number } | { group_id: number } | 'everybody';

const ofUsers = (day: string): Expression<SqlBool> =>
  onAccessEntries.and([
    onAccessEntries('l.user_id', 'is not', null),
    onAccessEntries(projectAccess(onAccessEntries.ref('l.user_id').$notNull(), day), '=', onAccessEntries.lit(0)),
  ]);

const ofGroups = (day: string): Expression<SqlBool> =>
  onAccessEntries.and([
    onAccessEntries('l.group_id', 'is not', null),
    onAccessEntries.not(groupHasProject(onAccessEntries.ref('l.group_id').$notNull(), day)),
  ]);

function selectStranded(owner: EntryOwner, day: string): Expression<SqlBool> {
  if (owner === 'everybody') return onAccessEntries.or([ofUsers(day), ofGroups(day)]);
  if ('user_id' in owner) return onAccessEntries.and([onAccessEntries('l.user_id', '=', owner.user_id), ofUsers(day)]);
  return onAccessEntries.and([onAccessEntries('l.group_id', '=', owner.group_id), ofGroups(day)]);
}

/**
 * Removes entries of rules over refs for users and groups that no longer have access to the project: after a member is
 * removed, a share ends, or a project or group moves (protected-tags.md section 5). A rule left without entries admits
 * no user.
 * @param container the project, or the group in or below which projects are checked
 */
export async function removeStrandedEntries(
  ctx: Context<Caller>,
  owner: EntryOwner,
  { kind, id }: ContainerRef,
): Promise<void> {
  const stranded = selectStranded(owner, today(ctx));
  for (const rules of ['branch', 'tag'] as const)
    await ctx.em
      .getKysely<RepositoriesDatabase>()
      .deleteFrom(`${entryTable(rules).table} as l`)
      .using('projects as p')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .whereRef('p.id', '=', 'l.project_id')
      .where((eb) =>
        kind === 'project'
          ? eb('p.id', '=', id)
          : contains(eb.ref('n.traversal_ids'), eb.cast<number>(eb.val(id), 'bigint')),
      )
      .where(stranded)
      .execute();
}

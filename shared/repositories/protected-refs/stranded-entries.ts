import type { ContainerRef } from '../../core/container.js';
import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { or, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { groupHasProject, projectAccess, today } from '../../tenancy/access/access.js';
import { ENTRY_TABLES } from './access-entries.js';

/** Whose entries are looked at: of one user, of one group, or of everybody. */
type Named = { user_id: number } | { group_id: number } | 'everybody';

const ofUsers = (day: string): Fragment => sql`l.user_id is not null and ${projectAccess(raw('l.user_id'), day)} = 0`;
const ofGroups = (day: string): Fragment =>
  sql`l.group_id is not null and not ${groupHasProject(raw('l.group_id'), day)}`;

function strandedOf(named: Named, day: string): Fragment {
  if (named === 'everybody') return or([ofUsers(day), ofGroups(day)]);
  if ('user_id' in named) return sql`l.user_id = ${named.user_id} and ${ofUsers(day)}`;
  return sql`l.group_id = ${named.group_id} and ${ofGroups(day)}`;
}

/**
 * Removes the entries of rules over refs that name somebody who has no access to the project any more: after a member
 * is removed, a share ends, or a project or group moves (protected-tags.md section 5). A rule that is left without
 * entries admits nobody.
 * @param container the project, or the group in or below which projects are looked at
 */
export async function removeStrandedEntries(
  ctx: Context<Caller>,
  named: Named,
  { kind, id }: ContainerRef,
): Promise<void> {
  const place = kind === 'project' ? sql`p.id = ${id}` : sql`n.traversal_ids @> array[${id}]::bigint[]`;
  for (const { table } of Object.values(ENTRY_TABLES))
    await ctx.query(sql`
      delete from ${table} l using projects p join namespaces n on n.id = p.namespace_id
       where p.id = l.project_id and ${place} and (${strandedOf(named, today(ctx))})`);
}

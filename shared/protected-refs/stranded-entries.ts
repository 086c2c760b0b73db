import type { Context } from '../core/context.js';
import { raw, sql } from '../core/sql.js';
import { groupHasProject, projectAccess, today } from '../members/access.js';
import { ENTRY_TABLES } from './access-entries.js';

/**
 * Removes the entries of rules over refs that name somebody who has no access to the project any more: after a member
 * is removed or a share ends (protected-tags.md section 5). A rule that is left without entries admits nobody.
 * @param where the project, or the group in or below which projects are looked at
 */
export async function removeStrandedEntries(
  ctx: Context,
  named: { user_id: number } | { group_id: number },
  where: { project_id: number } | { namespace_id: number },
): Promise<void> {
  const place =
    'project_id' in where
      ? sql`p.id = ${where.project_id}`
      : sql`n.traversal_ids @> array[${where.namespace_id}]::bigint[]`;
  const day = today(ctx);
  const stranded =
    'user_id' in named
      ? sql`l.user_id = ${named.user_id} and ${projectAccess(raw('l.user_id'), day)} = 0`
      : sql`l.group_id = ${named.group_id} and not ${groupHasProject(raw('l.group_id'), day)}`;
  for (const { table } of Object.values(ENTRY_TABLES))
    await ctx.query(sql`
      delete from ${table} l using projects p join namespaces n on n.id = p.namespace_id
       where p.id = l.project_id and ${place} and ${stranded}`);
}

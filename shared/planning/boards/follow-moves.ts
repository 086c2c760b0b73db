import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

/** Boards with the namespace `n` in or above which their labels and milestones lie. */
const placed: Fragment = sql`boards b left join projects p on p.id = b.project_id
  join namespaces n on n.id = coalesce(p.namespace_id, b.namespace_id)`;

/** What lists are of: the table, and the column that names a row of it. */
const KINDS = [
  { table: sql`labels`, column: sql`label_id` },
  { table: sql`milestones`, column: sql`milestone_id` },
] as const;

/**
 * Has the lists of boards that moved be of what has the same title where they are now; those without are gone, and so
 * is what of groups elsewhere the boards themselves named.
 * @param moved a condition on boards `b`, their project `p`, if any, and the namespace `n` around them
 */
export async function followBoards(ctx: Context<Caller>, moved: Fragment): Promise<void> {
  for (const { table, column } of KINDS) {
    const lost = sql`
      select bl.id, bl.board_id, k.title, b.project_id, n.traversal_ids
        from ${placed} join board_lists bl on bl.board_id = b.id join ${table} k on k.id = bl.${column}
       where ${moved} and k.namespace_id is not null and k.namespace_id <> all(n.traversal_ids)`;
    await ctx.query(sql`
      update board_lists bl set ${column} = known.id from (${lost}) lost
        cross join lateral (
          select k.id from ${table} k
           where k.title = lost.title and (k.project_id = lost.project_id or k.namespace_id = any(lost.traversal_ids))
           order by k.project_id nulls last, k.id limit 1) known
       where bl.id = lost.id
         and not exists (select 1 from board_lists o where o.board_id = bl.board_id and o.${column} = known.id)`);
    await ctx.query(sql`delete from board_lists bl using (${lost}) lost where bl.id = lost.id`);
  }
  await ctx.query(sql`
    delete from board_labels x using ${placed}, labels k
     where x.board_id = b.id and k.id = x.label_id and ${moved}
       and k.namespace_id is not null and k.namespace_id <> all(n.traversal_ids)`);
  await ctx.query(sql`
    update boards t set milestone_id = null from ${placed}, milestones k
     where t.id = b.id and k.id = b.milestone_id and ${moved}
       and k.namespace_id is not null and k.namespace_id <> all(n.traversal_ids)`);
}

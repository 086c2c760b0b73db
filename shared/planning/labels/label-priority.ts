import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** Gives a label a priority in a project, or takes it away with null. */
export async function setPriority(
  ctx: Context,
  projectId: number,
  labelId: number,
  priority: number | null,
): Promise<void> {
  if (priority === null) {
    // Plain SQL: rows that are two ids have no entity.
    await ctx.query(sql`delete from label_priorities where project_id = ${projectId} and label_id = ${labelId}`);
    return;
  }
  // Plain SQL: rows that are two ids have no entity.
  await ctx.query(sql`
    insert into label_priorities (project_id, label_id, priority) values (${projectId}, ${labelId}, ${priority})
    on conflict (project_id, label_id) do update set priority = excluded.priority`);
}

import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** Gives a label a priority in a project, or takes it away with null. */
export async function setPriority(
  ctx: Context,
  projectId: number,
  labelId: number,
  priority: number | null,
): Promise<void> {
  await ctx.query(
    priority === null
      ? sql`delete from label_priorities lp where lp.project_id = ${projectId} and lp.label_id = ${labelId}`
      : sql`insert into label_priorities (project_id, label_id, priority) values (${projectId}, ${labelId}, ${priority})
            on conflict (project_id, label_id) do update set priority = excluded.priority`,
  );
}

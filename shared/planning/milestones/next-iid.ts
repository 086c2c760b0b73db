import type { Context } from '../../core/context.js';
import type { ContainerRef } from '../../core/container.js';
import { raw, sql } from '../../core/sql.js';

/** The next number of a milestone in its project or group, never given out again. */
export async function nextMilestoneIid(ctx: Context, { kind, id }: ContainerRef): Promise<number> {
  const [table, column] =
    kind === 'project'
      ? [raw('project_counters'), raw('project_id')]
      : [raw('namespace_counters'), raw('namespace_id')];
  const row = await ctx.queryOne<{ last_value: number }>(sql`
    insert into ${table} as c (${column}, kind, last_value) values (${id}, 'milestone', 1)
    on conflict (${column}, kind) do update set last_value = c.last_value + 1 returning c.last_value`);
  return row?.last_value as number;
}

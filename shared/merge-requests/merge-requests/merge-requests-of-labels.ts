import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { visibleMergeRequests } from './visible-merge-requests.js';

/**
 * How many open merge requests that the caller may see have each of some labels; those that none has are left out.
 * Links carry whether theirs is open, so that they are counted in their index, by project.
 */
export async function openMergeRequestsOfLabels(ctx: Context, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await ctx.query<{ id: number; count: number }>(sql`
    with counted as materialized (
      select x.label_id, x.project_id, count(*) as opened from merge_request_labels x
       where x.label_id = any(${ids}::bigint[]) and x.opened group by 1, 2)
    select c.label_id as "id", sum(c.opened)::int as "count" from counted c join projects p on p.id = c.project_id
     where ${visibleMergeRequests(ctx)} group by 1`);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

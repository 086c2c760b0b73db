import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { visibleMergeRequests } from './visible-merge-requests.js';

/** How many open merge requests that the caller may see have each of some labels; those that none has are left out. */
export async function openMergeRequestsOfLabels(ctx: Context, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await ctx.query<{ id: number; count: number }>(sql`
    select x.label_id as "id", count(*)::int as "count"
      from merge_request_labels x join merge_requests i on i.id = x.merge_request_id
      join projects p on p.id = i.project_id
     where x.label_id = any(${ids}::bigint[]) and i.state = 'opened' and ${visibleMergeRequests(ctx)} group by 1`);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

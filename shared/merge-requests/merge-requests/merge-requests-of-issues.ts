import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { visibleMergeRequests } from './visible-merge-requests.js';

/** How many merge requests that the caller may read close each of some issues; those that none closes are left out. */
export async function mergeRequestsClosingIssues(ctx: Context, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await ctx.query<{ id: number; count: number }>(sql`
    select c.issue_id as "id", count(*)::int as "count"
      from merge_requests_closing_issues c join merge_requests i on i.id = c.merge_request_id
      join projects p on p.id = i.project_id
     where c.issue_id = any(${ids}::bigint[]) and c.closes and ${visibleMergeRequests(ctx)} group by 1`);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

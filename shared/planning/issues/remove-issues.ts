import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { RemovedIssue } from '../planning.events.js';
import { followOpenIssues } from './open-issues-count.js';

/**
 * Removes some issues of an author who is removed with all that they wrote.
 * @returns whether there may be more
 */
export async function removeIssuesOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone = await ctx.query<RemovedIssue>(sql`
    delete from issues d where d.id in (
      select i.id from issues i where i.author_id = ${userId} order by i.id limit ${limit} for update)
    returning d.project_id as "project_id", d.state as "state", d.confidential as "confidential",
      d.issue_type as "issue_type", d.created_at as "created_at", d.closed_at as "closed_at"`);
  await followOpenIssues(ctx, gone, []);
  if (gone.length > 0) ctx.record({ type: 'issues.removed', issues: gone });
  return gone.length === limit;
}

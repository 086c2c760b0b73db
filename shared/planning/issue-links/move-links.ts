import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { NamedIssue } from '../planning.events.js';

/** The links of an issue that was moved go to the new one (issue-links.md section 4.10). */
export async function moveIssueLinks(ctx: Context<Caller>, from: NamedIssue, to: NamedIssue): Promise<void> {
  await ctx.query(sql`
    update issue_links set
           project_id = case when source_id = ${from.issue.id} then ${to.issue.project_id} else project_id end,
           source_id = case when source_id = ${from.issue.id} then ${to.issue.id} else source_id end,
           target_id = case when target_id = ${from.issue.id} then ${to.issue.id} else target_id end
     where source_id = ${from.issue.id} or target_id = ${from.issue.id}`);
}

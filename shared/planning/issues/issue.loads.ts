import { load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { assigneesOfIssuables, labelsOfIssuables, subscriptionsToIssuables } from '../issuables/issuable-loads.js';
import { issueType } from '../issuables/issuable-type.js';
import type { ListedIssue } from './issue.record.js';
import { visibleIssues } from './visible-issues.js';

export const labelsOfIssues = labelsOfIssuables(issueType);
export const assigneesOfIssues = assigneesOfIssuables(issueType);

/** Where the issue lies that another one repeats, as far as the caller may read it. */
export const duplicatedIssues = load(
  (issue: Readonly<ListedIssue>) => issue.duplicated_to_id ?? 0,
  async (ctx, issues): Promise<Map<number, { project_id: number; iid: number }>> => {
    const ids = issues.flatMap(({ duplicated_to_id: id }) => (id ? [id] : []));
    if (ids.length === 0) return new Map();
    const rows = await ctx.query<{ id: number; project_id: number; iid: number }>(sql`
      select i.id as "id", i.project_id as "project_id", i.iid as "iid" from issues i join projects p on p.id = i.project_id
       where i.id = any(${ids}::bigint[]) and ${visibleIssues(ctx)}`);
    return new Map(rows.map((row) => [row.id, row]));
  },
);

/** Open issues that issue `i` blocks. */
export const blockingCount: Sql = sql`(
  select count(*) from issue_links l join issues blocked on blocked.id = l.target_id
   where l.source_id = i.id and l.link_type = 'blocks' and blocked.state = 'opened')`;

/**
 * How many open issues each blocks (issue-links.md section 3.5). Counted when it is asked for: issues may block each
 * other in a circle, and a count that is kept would make two that close at once wait for each other.
 */
export const blockingCounts = load(
  (issue: Readonly<ListedIssue>) => issue.id,
  async (ctx, issues): Promise<Map<number, number>> => {
    const rows = await ctx.query<{ id: number; count: number }>(sql`
      select l.source_id as "id", count(*) as "count"
        from issue_links l join issues blocked on blocked.id = l.target_id and blocked.state = 'opened'
       where l.source_id = any(${issues.map(({ id }) => id)}::bigint[]) and l.link_type = 'blocks' group by 1`);
    return new Map(rows.map(({ id, count }) => [id, count]));
  },
);

export const subscriptions = subscriptionsToIssuables(issueType);

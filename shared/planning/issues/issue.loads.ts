import type { Context } from '../../core/context.js';
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

/** Open issues that issue `i` blocks, of those that the caller may read. */
export const blockingCount = (ctx: Context): Sql => sql`(
  select count(*) from issue_links l
   cross join lateral (
     select i.id from issues i join projects p on p.id = i.project_id
      where i.id = l.target_id and i.state = 'opened' and ${visibleIssues(ctx)}) blocked
   where l.source_id = i.id and l.link_type = 'blocks')`;

/**
 * How many open issues each blocks, of those that the caller may read (issue-links.md section 3.5). Counted when it is
 * asked for: issues may block each other in a circle, and a count that is kept would make two that close at once wait
 * for each other.
 */
export const blockingCounts = load(
  (issue: Readonly<ListedIssue>) => issue.id,
  async (ctx, issues): Promise<Map<number, number>> => {
    const rows = await ctx.query<{ id: number; count: number }>(sql`
      select l.source_id as "id", count(*) as "count"
        from issue_links l join issues i on i.id = l.target_id and i.state = 'opened'
        join projects p on p.id = i.project_id
       where l.source_id = any(${issues.map(({ id }) => id)}::bigint[]) and l.link_type = 'blocks'
         and ${visibleIssues(ctx)} group by 1`);
    return new Map(rows.map(({ id, count }) => [id, count]));
  },
);

/** Ids of the issues that others were moved to, as far as the caller may read them. */
export const moveTargets = load(
  (issue: Readonly<ListedIssue>) => issue.id,
  async (ctx, issues): Promise<Map<number, number>> => {
    const targets = issues.flatMap(({ moved_to_id: id }) => (id ? [id] : []));
    if (targets.length === 0) return new Map();
    const rows = await ctx.query<{ id: number }>(sql`
      select i.id as "id" from issues i join projects p on p.id = i.project_id
       where i.id = any(${targets}::bigint[]) and ${visibleIssues(ctx)}`);
    const visible = new Set(rows.map(({ id }) => id));
    return new Map(
      issues.flatMap(({ id, moved_to_id: to }): [number, number][] => (to && visible.has(to) ? [[id, to]] : [])),
    );
  },
);

export const subscriptions = subscriptionsToIssuables(issueType);

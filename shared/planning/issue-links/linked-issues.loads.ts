import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { issuesOfAll } from '../issues/issue.finder.js';
import type { ListedIssue } from '../issues/issue.record.js';
import type { LinkedIssue } from './issue-link.record.js';

type ByIssue = Map<Readonly<ListedIssue>, LinkedIssue[]>;

/**
 * The issues that each of many issues is linked with, of those that the caller may read, in the order in which they were
 * linked. Links are shown to nobody who did not sign in (issue-links.md section 5).
 */
export async function linkedIssuesOf(ctx: Context, issues: readonly Readonly<ListedIssue>[]): Promise<ByIssue> {
  if (ctx.caller.anonymous) return new Map();
  const ids = issues.map(({ id }) => id);
  const all = issuesOfAll(ctx);
  const rows = await ctx.query<LinkedIssue & { of_id: number }>(sql`
    select ${all.select}, k.of_id as "of_id", k.id as "link.id", k.created_at as "link.created_at",
           k.updated_at as "link.updated_at", k.seen_type as "link.type"
      from ${all.from} join (
        select l.id, l.created_at, l.updated_at, l.source_id as of_id, l.target_id as other_id, l.link_type as seen_type
          from issue_links l where l.source_id = any(${ids}::bigint[])
        union all
        select l.id, l.created_at, l.updated_at, l.target_id, l.source_id,
               case l.link_type when 'blocks' then 'is_blocked_by' else l.link_type end
          from issue_links l where l.target_id = any(${ids}::bigint[])) k on k.other_id = i.id
     where ${all.where.reduce((one, other) => sql`(${one}) and (${other})`)} order by k.id`);
  const byId = Map.groupBy(rows, ({ of_id }) => of_id);
  return new Map(issues.map((issue) => [issue, byId.get(issue.id) ?? []]));
}

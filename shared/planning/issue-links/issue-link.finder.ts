import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { byId } from '../../core/list.js';
import type { List } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { columns, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { findProjectOfUrl, findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { findIssue, issue, issuesOfAll } from '../issues/issue.finder.js';
import type { IssueRecord } from '../issues/issue.record.js';
import { IssueLink } from './issue-link.entity.js';
import type { IssueLinkRecord, LinkedIssue } from './issue-link.record.js';

/** The issue in the path, not locked: an operation on two issues locks both in one order. */
export const linkedIssue: Subject<IssueRecord> = {
  ...issue,
  find: async (ctx, input: { id: string; issue_iid: number }) =>
    findIssue(ctx, await findProjectOfUrl(ctx, input.id), input.issue_iid),
};

/** Links of an issue with the id of the one on the other side, and the type as seen from it. */
const linksOf = (id: number): Sql => sql`(
  select l.id, l.created_at, l.updated_at, l.target_id as other_id, l.link_type as seen_type
    from issue_links l where l.source_id = ${id}
  union all
  select l.id, l.created_at, l.updated_at, l.source_id,
         case l.link_type when 'blocks' then 'is_blocked_by' else l.link_type end
    from issue_links l where l.target_id = ${id})`;

/**
 * The issues that an issue is linked with, of those that the caller may read, in the order in which they were linked
 * (issue-links.md section 4).
 */
export function linkedIssues(ctx: Context, { id, seen_from }: IssueRecord): List<LinkedIssue> {
  const all = issuesOfAll(ctx);
  return {
    select: sql`${all.select}, k.id as "link.id", k.created_at as "link.created_at", k.updated_at as "link.updated_at",
      k.seen_type as "link.type"`,
    from: sql`${all.from} join ${linksOf(id)} k on k.other_id = i.id`,
    where: all.where,
    order: [{ ...byId<LinkedIssue>('k', 'asc'), value: ({ link }) => link.id }],
    read: (row) => ({ ...row, seen_from }),
  };
}

/**
 * A link of an issue with both its sides.
 * @throws NotFound "404 Not found", also for one of other issues, and where the caller may not read the other side
 */
export async function findIssueLink(ctx: Context, of: IssueRecord, id: number): Promise<IssueLinkRecord> {
  const link = await ctx.queryOne<IssueLink>(sql`
    select ${columns(IssueLink, 'l')} from issue_links l
     where l.id = ${id} and ${of.id} in (l.source_id, l.target_id)`);
  if (!link) throw new NotFound();
  const other = await readableIssue(ctx, of.id === link.source_id ? link.target_id : link.source_id);
  return of.id === link.source_id ? { ...link, source: of, target: other } : { ...link, source: other, target: of };
}

/** The issue of an id, not locked. @throws NotFound where the caller may not read it */
export async function readableIssue(ctx: Context, id: number): Promise<IssueRecord> {
  const place = await ctx.queryOne<{ project_id: number; iid: number }>(sql`
    select i.project_id as "project_id", i.iid as "iid" from issues i where i.id = ${id}`);
  const found = place && (await findVisibleProject(ctx, place.project_id));
  if (!found) throw new NotFound();
  return findIssue(ctx, found, place.iid);
}

/** Locks issues in the order in which everybody locks several, so that no two wait for each other. */
export async function lockIssues(ctx: Context, ids: readonly number[]): Promise<void> {
  await ctx.query(sql`
    select 1 from issues i join projects p on p.id = i.project_id
     where i.id = any(${ids}::bigint[]) order by i.id for key share of p for no key update of i`);
}

import { userIdOf } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { aboutProject } from '../../core/job-context.js';
import { byId } from '../../core/list.js';
import type { List } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { columns, empty, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { findProject, findProjectOfUrl, project, projectIdSql } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { Issue } from './issue.entity.js';
import { isSubscribedTo } from '../issuables/issuable-loads.js';
import { issueType } from '../issuables/issuable-type.js';
import { blockingCount, blockingCounts, subscriptions } from './issue.loads.js';
import { issuePolicy } from './issue.policy.js';
import type { IssueRecord, ListedIssue } from './issue.record.js';
import type { SeenFrom } from './issue-references.js';
import { assignedTo, visibleIssues, visibleIssuesIn, visibleIssuesOf } from './visible-issues.js';
import type { ReadableProjects } from './visible-issues.js';

const selected: Sql = sql`${columns(Issue, 'i')}, r.path as "full_path",
  ${userSummaryColumns('a', 'author.')}, ${userSummaryColumns('c', 'closed_by.')}`;
const tables: Sql = sql`issues i
  join routes r on r.project_id = i.project_id
  left join users a on a.id = i.author_id
  left join users c on c.id = i.closed_by_id`;

/** Issues of one project that the caller may read. */
export function issuesOfProject(ctx: Context, found: ProjectRecord, where: readonly Sql[] = []): List<ListedIssue> {
  return {
    select: selected,
    from: tables,
    matching: sql`issues i`,
    where: [visibleIssuesOf(ctx, found), ...where],
    order: [byId('i', 'desc')],
    read: (row) => ({ ...row, seen_from: fromProject(found) }),
  };
}

/** Issues of all projects that the caller may read; conditions may speak of `i` and its project `p`. */
export function issuesOfAll(ctx: Context, where: readonly Sql[] = []): List<ListedIssue> {
  return {
    select: selected,
    from: sql`${tables} join projects p on p.id = i.project_id`,
    matching: sql`issues i join projects p on p.id = i.project_id`,
    where: [visibleIssues(ctx), ...where],
    order: [byId('i', 'desc')],
  };
}

/** Issues of some projects that the caller may read; conditions may speak of `i`. */
export function issuesOfProjects(
  ctx: Context,
  projects: ReadableProjects,
  where: readonly Sql[] = [],
): List<ListedIssue> {
  return {
    select: selected,
    from: tables,
    matching: sql`issues i`,
    where: [visibleIssuesIn(ctx, projects), ...where],
    order: [byId('i', 'desc')],
  };
}

/** That issues were asked for in a project. */
const fromProject = ({ full_path }: ProjectRecord): SeenFrom => ({ kind: 'project', full_path });

type Row = Omit<IssueRecord, 'project'>;

interface ShownRow extends Row {
  readonly blocking_count: number;
  readonly subscribed: boolean;
}

/**
 * Locks an issue for a change, so that what is found next is what is changed. Its project is locked first, as its
 * deletion does it.
 */
async function lockIssue(ctx: Context, projectId: number, condition: Sql): Promise<void> {
  await ctx.query(sql`
    select 1 from issues i join projects p on p.id = i.project_id
     where i.project_id = ${projectId} and ${condition} for key share of p for no key update of i`);
}

/** An issue's row, whoever asks. `projectId` may be SQL; `beside` is what else is selected. */
const loadIssue = <R extends Row = Row>(
  ctx: Context,
  projectId: number | Sql,
  condition: Sql,
  beside: Sql = empty,
): Promise<R | null> =>
  ctx.queryOne<R>(sql`
    select ${selected}, ${beside}
      case when ${assignedTo(userIdOf(ctx.caller))} then ${userIdOf(ctx.caller)}::bigint end as "assigned_id" from ${tables}
     where i.project_id = ${projectId} and ${condition}`);

/** The same for one that is read, with what it shows: each further statement would cost. */
const loadShown = (ctx: Context, projectId: number | Sql, condition: Sql): Promise<ShownRow | null> =>
  loadIssue<ShownRow>(
    ctx,
    projectId,
    condition,
    sql`${blockingCount(ctx)} as "blocking_count", ${isSubscribedTo(issueType, userIdOf(ctx.caller))} as "subscribed",`,
  );

function admitShown(ctx: Context, found: ProjectRecord, row: ShownRow | null, noun?: string): IssueRecord {
  const issue = admit(ctx, found, row, noun);
  if (!row) return issue;
  blockingCounts.put(ctx, issue, row.blocking_count);
  subscriptions.put(ctx, issue, row.subscribed);
  return issue;
}

function admit(ctx: Context, found: ProjectRecord, row: Row | null, noun?: string): IssueRecord {
  const issue = row && { ...row, project: found, seen_from: fromProject(found) };
  if (!issue || !issuePolicy.read_issue(ctx.caller, issue)) throw new NotFound(noun);
  return issue;
}

const byIid = (iid: number): Sql => (iid > 2 ** 31 - 1 ? sql`false` : sql`i.iid = ${iid}`);

/** An issue of a project by its number. @throws NotFound "404 Not found", also where the caller may not read it */
export async function findIssue(ctx: Context, found: ProjectRecord, iid: number): Promise<IssueRecord> {
  return admit(ctx, found, await loadIssue(ctx, found.id, byIid(iid)));
}

/** The issue of a global id with its project, locked in a transaction. @throws NotFound "404 Not found" */
export async function findIssueById(ctx: Context, id: number): Promise<IssueRecord> {
  const place = await ctx.queryOne<{ project_id: number }>(
    sql`select i.project_id as "project_id" from issues i where i.id = ${id}`,
  );
  if (!place) throw new NotFound();
  const found = await findVisible(ctx, place.project_id);
  if (ctx.inTransaction) await lockIssue(ctx, found.id, sql`i.id = ${id}`);
  return admit(ctx, found, await loadIssue(ctx, found.id, sql`i.id = ${id}`));
}

/** An issue of a project that nobody may see is as absent as one that is not there. */
async function findVisible(ctx: Context, projectId: number): Promise<ProjectRecord> {
  try {
    return await findProject(ctx, projectId);
  } catch (error) {
    throw error instanceof NotFound ? new NotFound() : error;
  }
}

/** @param noun is told of an issue that is not there */
function issueOf(noun?: string): Subject<IssueRecord> {
  return {
    noun: 'Issue',
    params: { ...project.params, issue_iid: integer().describe('Number of the issue in its project.') },
    async find(ctx, input: { id: string; issue_iid: number }) {
      const { id, issue_iid: iid } = input;
      if (!ctx.inTransaction) {
        // Project and issue by one round trip; what the caller may not see is dropped.
        const [found, row] = await Promise.all([
          findProjectOfUrl(ctx, id),
          loadShown(ctx, projectIdSql(id), byIid(iid)),
        ]);
        return admitShown(ctx, found, row, noun);
      }
      const found = await findProjectOfUrl(ctx, id);
      await lockIssue(ctx, found.id, byIid(iid));
      return admit(ctx, found, await loadIssue(ctx, found.id, byIid(iid)), noun);
    },
    about: (record) => aboutProject(record.project),
  };
}

/** The subject of `/projects/:id/issues/:issue_iid…`. For a write it is locked. */
export const issue = issueOf();

/** The same for its deletion, which says "404 Issue Not Found" (core-resources.md section 6). */
export const issueToDelete = issueOf('Issue');

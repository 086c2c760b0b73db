import type { Context } from '../../core/context.js';
import { ACCESS_LEVELS } from '../../core/policy.js';
import { and, or, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { memberOfProject, today } from '../../tenancy/access/access.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { openToAll } from '../../tenancy/projects/project.finder.js';
import { projectIssuePolicy } from './issue.policy.js';

/** That the caller is to work on issue `i`. */
export const assignedTo = (userId: number): Sql =>
  sql`exists (select 1 from issue_assignees own where own.issue_id = i.id and own.user_id = ${userId})`;

/** What is confidential and does not concern the caller by author or assignee is not theirs to see. */
function concerning(ctx: Context): Sql {
  if (ctx.caller.anonymous) return sql`not i.confidential`;
  const { id } = ctx.caller;
  return or([sql`not i.confidential`, sql`i.author_id = ${id}`, assignedTo(id)]);
}

/** Projects `p` whose issues the caller may read, but for confidential ones. */
export function openProjects(ctx: Context): Sql {
  const { caller } = ctx;
  const standing = sql`p.removal_started_at is null and p.issues_access_level <> 'disabled'`;
  if (caller.admin) return standing;
  const forAll = and([openToAll(caller), sql`p.issues_access_level <> 'private'`]);
  if (caller.anonymous) return and([standing, forAll]);
  return and([standing, or([forAll, memberOfProject(caller.id, today(ctx))])]);
}

/**
 * Issues `i` of projects `p` that the caller may read: the same rule as `read_issue`, as a condition, for lists over
 * many projects.
 */
export function visibleIssues(ctx: Context): Sql {
  const { caller } = ctx;
  if (caller.admin) return openProjects(ctx);
  if (caller.anonymous) return and([openProjects(ctx), concerning(ctx)]);
  const plans = memberOfProject(caller.id, today(ctx), ACCESS_LEVELS.planner);
  return and([openProjects(ctx), or([concerning(ctx), plans])]);
}

/** Projects `p` whose confidential issues the caller may read, whomever they concern. */
export function wholeProjects(ctx: Context): Sql {
  const { caller } = ctx;
  if (caller.admin) return openProjects(ctx);
  if (caller.anonymous) return sql`false`;
  return and([openProjects(ctx), memberOfProject(caller.id, today(ctx), ACCESS_LEVELS.planner)]);
}

/** Projects whose issues the caller may read, and those of them where they may read the confidential ones too. */
export interface ReadableProjects {
  readonly ids: readonly number[];
  readonly whole: readonly number[];
}

/** {@link ReadableProjects} among projects `p` of which conditions hold. */
export async function readableProjects(ctx: Context, where: readonly Sql[]): Promise<ReadableProjects> {
  const { caller } = ctx;
  const plans = caller.anonymous ? sql`false` : memberOfProject(caller.id, today(ctx), ACCESS_LEVELS.planner);
  const rows = await ctx.query<{ id: number; whole: boolean }>(sql`
    select p.id as "id", ${caller.admin ? sql`true` : plans} as "whole" from projects p
     where ${and([openProjects(ctx), ...where])}`);
  return { ids: rows.map(({ id }) => id), whole: rows.filter(({ whole }) => whole).map(({ id }) => id) };
}

/**
 * Issues `i` that the caller may read in some projects. These are looked up first, so that the database knows how many
 * issues they have when it plans a list: few are found by their projects, many along the list's order.
 */
export function visibleIssuesIn(ctx: Context, { ids, whole }: ReadableProjects): Sql {
  const inside = sql`i.project_id = any(${[...ids]}::bigint[])`;
  if (whole.length === ids.length) return inside;
  return and([inside, or([concerning(ctx), sql`i.project_id = any(${[...whole]}::bigint[])`])]);
}

/** The same for the issues `i` of one project, which the caller may read in general. */
export function visibleIssuesOf(ctx: Context, found: ProjectRecord): Sql {
  const own = sql`i.project_id = ${found.id}`;
  return projectIssuePolicy.read_confidential_issues(ctx.caller, found) ? own : and([own, concerning(ctx)]);
}

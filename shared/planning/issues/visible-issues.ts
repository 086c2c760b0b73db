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
function openProjects(ctx: Context): Sql {
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

/** The same for the issues `i` of one project, which the caller may read in general. */
export function visibleIssuesOf(ctx: Context, found: ProjectRecord): Sql {
  const own = sql`i.project_id = ${found.id}`;
  return projectIssuePolicy.read_confidential_issues(ctx.caller, found) ? own : and([own, concerning(ctx)]);
}

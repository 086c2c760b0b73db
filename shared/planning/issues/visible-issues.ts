import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { memberOfProject } from '../../tenancy/namespaces/access.js';
import { forCaller } from '../../tenancy/namespaces/for-caller.js';
import type { Viewer } from '../../tenancy/namespaces/for-caller.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { isOpenToAll } from '../../tenancy/projects/project.finder.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { projectIssuePolicy } from './issue.policy.js';

/** Issues `i` and their projects `p`, as conditions name them. */
export type OfIssues = Aliased<PlanningDatabase, { i: 'issues'; p: 'projects' }>;

/** Builds conditions on issues `i` and their projects `p`. */
export const onIssues = expressionBuilder<OfIssues, 'i' | 'p'>();

/** That the caller is to work on issue `i`. */
export const assignedTo = (userId: number | Expression<number>): Expression<SqlBool> =>
  onIssues.exists(
    onIssues
      .selectFrom('issue_assignees as own')
      .select(onIssues.lit(1).as('one'))
      .whereRef('own.issue_id', '=', 'i.id')
      .where('own.user_id', '=', userId),
  );

const isOpen = onIssues.not(onIssues.ref('i.confidential'));

/** Hides confidential issues from viewers who are neither their author nor an assignee. */
const concerns = ({ anonymous, userId }: Viewer): Expression<SqlBool> =>
  anonymous ? isOpen : onIssues.or([isOpen, onIssues('i.author_id', '=', userId), assignedTo(userId)]);

const concerning = forCaller(concerns);

const standing = onIssues.and([
  onIssues('p.removal_started_at', 'is', null),
  onIssues('p.issues_access_level', '<>', constant('disabled')),
]);

/** Projects `p` whose non-confidential issues a viewer can read. */
function isOpenProject(viewer: Viewer): Expression<SqlBool> {
  if (viewer.admin) return standing;
  const forAll = onIssues.and([isOpenToAll(viewer), onIssues('p.issues_access_level', '<>', constant('private'))]);
  if (viewer.anonymous) return onIssues.and([standing, forAll]);
  return onIssues.and([standing, onIssues.or([forAll, memberOfProject(viewer.userId, viewer.day)])]);
}

/** That a viewer has the role of a Planner in project `p`. */
const isPlanner = ({ anonymous, userId, day }: Viewer): Expression<SqlBool> =>
  anonymous ? constant(false) : memberOfProject(userId, day, ACCESS_LEVELS.planner);

/** Issues `i` of projects `p` that a viewer may read. */
export function isVisibleIssue(viewer: Viewer): Expression<SqlBool> {
  const open = isOpenProject(viewer);
  return viewer.admin ? open : onIssues.and([open, onIssues.or([concerns(viewer), isPlanner(viewer)])]);
}

/** Projects `p` whose non-confidential issues the caller can read. */
export const openProjects = forCaller(isOpenProject);

/**
 * Issues `i` of projects `p` that the caller may read: the same rule as `read_issue`, as a condition, for lists over
 * many projects.
 */
export const visibleIssues = forCaller(isVisibleIssue);

const isWholeProject = (viewer: Viewer): Expression<SqlBool> =>
  viewer.admin ? isOpenProject(viewer) : onIssues.and([isOpenProject(viewer), isPlanner(viewer)]);

/** Projects `p` whose confidential issues the caller can read, regardless of author and assignees. */
export const wholeProjects = forCaller(isWholeProject);

const plansProject = forCaller((viewer) => (viewer.admin ? constant(true) : isPlanner(viewer)));

/** Projects whose issues the caller can read, and the subset with readable confidential issues. */
export interface ReadableProjects {
  readonly ids: readonly number[];
  readonly whole: readonly number[];
}

/** {@link ReadableProjects} among projects `p` of which conditions hold. */
export async function readableProjects(ctx: Context, where: readonly Expression<SqlBool>[]): Promise<ReadableProjects> {
  const rows = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('projects as p')
    .where(onIssues.and([openProjects(ctx), ...where]))
    .select(['p.id', plansProject(ctx).as('whole')])
    .execute();
  return { ids: rows.map(({ id }) => id), whole: rows.filter((row) => row.whole).map(({ id }) => id) };
}

const inProjects = (ids: readonly number[]) => onIssues('i.project_id', '=', anyOf(ids, 'bigint'));

/**
 * Issues `i` that the caller can read in some projects. The projects are looked up first, so that the database knows
 * their number of issues when it plans the list: few are found through their projects, many along the list's order.
 */
export function visibleIssuesIn(ctx: Context, { ids, whole }: ReadableProjects): Expression<SqlBool> {
  if (whole.length === ids.length) return inProjects(ids);
  return onIssues.and([inProjects(ids), onIssues.or([concerning(ctx), inProjects(whole)])]);
}

/** The same for the issues `i` of one project, which the caller may read in general. */
export function visibleIssuesOf(ctx: Context, found: ProjectRecord): Expression<SqlBool> {
  const own = onIssues('i.project_id', '=', found.id);
  return projectIssuePolicy.read_confidential_issues(ctx.caller, found) ? own : onIssues.and([own, concerning(ctx)]);
}

import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { ACCESS_LEVELS, roleIn } from '../../core/operations/policy.js';
import { projectsOfMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import { projectMergeRequestPolicy } from '../../merge-requests/merge-requests/merge-request.policy.js';
import { projectIssuePolicy } from '../../planning/issues/issue.policy.js';
import {
  assignedTo,
  readableProjects,
  visibleIssuesIn,
  visibleIssuesOf,
} from '../../planning/issues/visible-issues.js';
import type { ReadableProjects } from '../../planning/issues/visible-issues.js';
import { visibleSnippets, visibleSnippetsOf } from '../../planning/snippets/visible-snippets.js';
import {
  codeProjects,
  featureOpenSql,
  planningProjects,
  readsPlanning,
} from '../../tenancy/containers/planning-rights.js';
import { memberOfProject, today } from '../../tenancy/namespaces/access.js';
import { visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import { containerOfProject } from '../../tenancy/containers/container.js';
import { visibleProjectsCondition } from '../../tenancy/projects/project.finder.js';
import { featureOpen, projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { NotesDatabase } from '../notes.entities.js';
import { listedNotes } from '../notes/visible-notes.js';

/** Events `e` and their targets, as referenced in conditions. */
export type OfEvents = Aliased<NotesDatabase, { e: 'events'; n: 'notes'; i: 'issues'; mr: 'merge_requests' }>;

/** Builds conditions on events `e` and their targets: note `n`, issue `i` and merge request `mr`. */
export const onEvents = expressionBuilder<OfEvents, 'e' | 'i' | 'mr' | 'n'>();

/** Whether note `n` is not internal, or concerns the caller, who is not a Planner there. */
function seesOwnInternal({ caller }: Context): Expression<SqlBool> {
  const open = onEvents.not(onEvents.ref('n.internal'));
  if (caller.anonymous) return open;
  const isOwn = onEvents(onEvents.val(caller.id), 'in', [
    onEvents.ref('n.author_id'),
    onEvents.ref('i.author_id'),
    onEvents.ref('mr.author_id'),
  ]);
  return onEvents.or([open, isOwn, assignedTo(caller.id)]);
}

type OfGroups = Aliased<NotesDatabase, { e: 'events'; n: 'namespaces'; gs: 'group_settings' }>;

/** Whether event `e` concerns the wiki of a group visible to the caller. */
export function inVisibleGroup(ctx: Context): Expression<SqlBool> {
  if (!ctx.hasPlan('premium')) return constant(false);
  const onGroups = expressionBuilder<OfGroups, 'e'>();
  const group = onGroups
    .selectFrom('namespaces as n')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .select(onGroups.lit(1).as('one'))
    .whereRef('n.id', '=', 'e.namespace_id')
    .where(visibleGroupsCondition(ctx));
  return onGroups.and([onGroups('e.namespace_id', 'is not', null), onGroups.exists(group)]);
}

/** Projects with events, by the areas that the caller can see. */
interface VisibleProjects {
  readonly ids: readonly number[];
  readonly code: readonly number[];
  readonly planning: readonly number[];
  readonly wiki: readonly number[];
  /** Where they see all internal notes. */
  readonly internal: readonly number[];
  readonly issues: ReadableProjects;
  readonly mergeRequests: readonly number[];
}

/**
 * Permissions are evaluated once per project instead of per event: per event, they took the database seconds for users
 * with many events.
 * @param among a condition on projects `p`
 */
export async function findVisibleProjects(ctx: Context, among: Expression<SqlBool>): Promise<VisibleProjects> {
  const { caller } = ctx;
  const plans = caller.anonymous ? constant(false) : memberOfProject(caller.id, today(ctx), ACCESS_LEVELS.planner);
  const as = <Name extends string>(condition: Expression<SqlBool>, name: Name) =>
    onEvents.parens(condition).$castTo<boolean>().as(name);
  const [rows, issues, mergeRequests] = await Promise.all([
    ctx.em
      .getKysely<NotesDatabase>()
      .selectFrom('projects as p')
      .select([
        'p.id',
        as(codeProjects(ctx), 'code'),
        as(planningProjects(ctx), 'planning'),
        as(featureOpenSql(ctx, 'wiki_access_level'), 'wiki'),
        as(caller.admin ? constant(true) : plans, 'internal'),
      ])
      .where(among)
      .where(visibleProjectsCondition(ctx))
      .execute(),
    readableProjects(ctx, [among]),
    projectsOfMergeRequests(ctx, [among]),
  ]);
  const those = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).map(({ id }) => id);
  return {
    ids: those(() => true),
    code: those(({ code }) => code),
    planning: those(({ planning }) => planning),
    wiki: those(({ wiki }) => wiki),
    internal: those(({ internal }) => internal),
    issues,
    mergeRequests,
  };
}

const isNone = (column: 'e.milestone_title' | 'e.note_id' | 'e.wiki_page_title' | 'i.id' | 'mr.id' | 'n.snippet_id') =>
  onEvents(column, 'is', null);

/** That event `e` shows no code. */
const hasNoCode = onEvents.and([onEvents('e.action', '<>', constant('pushed')), onEvents('n.commit_sha', 'is', null)]);

/** Applied to events found by other means: `is true` keeps the database from also searching the project index. */
const inOneOf = (ids: readonly number[]): Expression<SqlBool> =>
  onEvents(onEvents.parens(onEvents('e.project_id', '=', anyOf(ids, 'bigint'))), 'is', true);

/** That note `n` is on a snippet `s` with its project `p` of which a condition holds. */
const onSnippet = (condition: Expression<SqlBool>): Expression<SqlBool> =>
  onEvents.exists(
    onEvents
      .selectFrom('snippets as s')
      .leftJoin('projects as p', 'p.id', 's.project_id')
      .select(onEvents.lit(1).as('one'))
      .whereRef('s.id', '=', 'n.snippet_id')
      .where(condition),
  );

/** Whether the caller can see the target of an event `e` in one of these projects. */
export function visibleEventsIn(ctx: Context, projects: VisibleProjects): Expression<SqlBool> {
  const { and, or } = onEvents;
  return and([
    inOneOf(projects.ids),
    or([hasNoCode, inOneOf(projects.code)]),
    or([isNone('i.id'), visibleIssuesIn(ctx, projects.issues)]),
    or([isNone('mr.id'), onEvents('mr.project_id', '=', anyOf(projects.mergeRequests, 'bigint'))]),
    or([isNone('n.snippet_id'), onSnippet(visibleSnippets(ctx))]),
    or([isNone('e.milestone_title'), inOneOf(projects.planning)]),
    or([isNone('e.wiki_page_title'), inOneOf(projects.wiki)]),
    or([isNone('e.note_id'), and([listedNotes, or([seesOwnInternal(ctx), inOneOf(projects.internal)])])]),
  ]);
}

/**
 * The same for events `e` of one project that the caller can see. Conditions on the project's settings and the caller's
 * role are evaluated here, once: evaluated per event, they kept the database from reading only the newest ones.
 */
export function visibleEventsOf(ctx: Context, found: ProjectRecord): Expression<SqlBool>[] {
  const { caller } = ctx;
  const { and, or } = onEvents;
  const unless = (open: boolean, otherwise: Expression<SqlBool>) => (open ? [] : [otherwise]);
  const issues = projectIssuePolicy.read_issue(caller, found)
    ? or([isNone('i.id'), visibleIssuesOf(ctx, found)])
    : isNone('i.id');
  return [
    onEvents('e.project_id', '=', found.id),
    ...unless(projectPolicy.read_code(caller, found), hasNoCode),
    issues,
    ...unless(projectMergeRequestPolicy.read_merge_request(caller, found), isNone('mr.id')),
    or([isNone('n.snippet_id'), onSnippet(visibleSnippetsOf(ctx, found))]),
    ...unless(readsPlanning(caller, containerOfProject(found)), isNone('e.milestone_title')),
    ...unless(featureOpen(caller, found, found.wiki_access_level), isNone('e.wiki_page_title')),
    or([isNone('e.note_id'), and([listedNotes, ...(roleIn(caller, found, 'planner') ? [] : [seesOwnInternal(ctx)])])]),
  ];
}

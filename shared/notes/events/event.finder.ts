import type { Context, SignedInContext } from '../../core/context.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import { ACCESS_LEVELS, roleIn } from '../../core/policy.js';
import { and, or, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
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
} from '../../planning/planning-rights/planning-rights.js';
import { ProjectEvent } from '../../repositories/push-events/event.entity.js';
import { PushEventPayload } from '../../repositories/push-events/push-event-payload.entity.js';
import { memberOfProject, today } from '../../tenancy/access/access.js';
import { visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import { containerOfProject } from '../../tenancy/containers/container.js';
import { visibleProjectsCondition } from '../../tenancy/projects/project.finder.js';
import { featureOpen, projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { Note } from '../notes/note.entity.js';
import { listedNotes } from '../notes/note.filters.js';
import type { EventRecord } from './event.record.js';

const target = (alias: string, name: string): Fragment =>
  textColumns({ meta: { className: name, properties: { id: 1, iid: 1, title: 1 } } } as never, alias, `${name}.`);

const selected: Fragment = sql`${textColumns(ProjectEvent, 'e')}, ${userSummaryColumns('u', 'author.')},
  pp.event_id as "push.id", ${textColumns(PushEventPayload, 'pp', 'push.')}, ${textColumns(Note, 'n', 'note.')},
  ${target('i', 'issue')}, ${target('mr', 'merge_request')}, sn.id as "snippet.id", sn.title as "snippet.title", ${target('m', 'milestone')}`;

/** What an event is about is looked up for each: a join of all notes or issues is what the database would choose else. */
const tables: Fragment = sql`events e
  join users u on u.id = e.author_id
  left join push_event_payloads pp on pp.event_id = e.id
  left join lateral (select x.* from notes x where x.id = e.note_id offset 0) n on true
  left join lateral (select x.* from issues x where x.id = coalesce(e.issue_id, n.issue_id) offset 0) i on true
  left join lateral (
    select x.* from merge_requests x where x.id = coalesce(e.merge_request_id, n.merge_request_id) offset 0) mr on true
  left join lateral (select x.* from snippets x where x.id = n.snippet_id offset 0) sn on true
  left join milestones m on m.id = e.milestone_id`;

/** Events are not counted beyond this: what the caller may see of each is asked one by one. */
const MOST_COUNTED = 1000;

/** That note `n` is not internal, or concerns the caller, who is no Planner there. */
function seesOwnInternal({ caller }: Context): Fragment {
  const open = sql`not n.internal`;
  if (caller.anonymous) return open;
  return or([open, sql`${caller.id} in (n.author_id, i.author_id, mr.author_id)`, assignedTo(caller.id)]);
}

/** That event `e` tells of the wiki of a group that the caller sees. */
function inVisibleGroup(ctx: Context): Fragment {
  if (!ctx.hasPlan('premium')) return sql`false`;
  return sql`e.namespace_id is not null and exists (
    select 1 from namespaces n join group_settings gs on gs.namespace_id = n.id
     where n.id = e.namespace_id and (${visibleGroupsCondition(ctx)}))`;
}

/** Projects in which something happened, by what the caller may see there. */
interface SeenProjects {
  readonly ids: readonly number[];
  readonly code: readonly number[];
  readonly planning: readonly number[];
  readonly wiki: readonly number[];
  /** Where they see all internal notes. */
  readonly internal: readonly number[];
  readonly issues: ReadableProjects;
  readonly mergeRequests: readonly number[];
}

interface SeenRow {
  readonly id: number;
  readonly code: boolean;
  readonly planning: boolean;
  readonly wiki: boolean;
  readonly internal: boolean;
}

/**
 * Rights are decided once for each project, not for each event: asked of each event, they took the database seconds for
 * somebody with many.
 * @param among a condition on projects `p`
 */
async function seenProjects(ctx: Context, among: Fragment): Promise<SeenProjects> {
  const { caller } = ctx;
  const plans = caller.anonymous ? sql`false` : memberOfProject(caller.id, today(ctx), ACCESS_LEVELS.planner);
  const [rows, issues, mergeRequests] = await Promise.all([
    ctx.query<SeenRow>(sql`
      select p.id as "id", ${codeProjects(ctx)} as "code", ${planningProjects(ctx)} as "planning",
             ${featureOpenSql(ctx, 'wiki_access_level')} as "wiki", ${caller.admin ? sql`true` : plans} as "internal"
        from projects p where ${and([among, visibleProjectsCondition(ctx)])}`),
    readableProjects(ctx, [among]),
    projectsOfMergeRequests(ctx, [among]),
  ]);
  const those = (is: (row: SeenRow) => boolean) => rows.filter(is).map(({ id }) => id);
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

/** Asked of events that are found otherwise: one that is in the index of projects would be looked for there too. */
const inOneOf = (ids: readonly number[]): Fragment => sql`(e.project_id = any(${[...ids]}::bigint[])) is true`;

/** That the caller may see what an event `e` tells of, which happened in one of these projects. */
function visibleEventsIn(ctx: Context, seen: SeenProjects): Fragment {
  return and([
    inOneOf(seen.ids),
    or([sql`e.action <> 'pushed' and n.commit_sha is null`, inOneOf(seen.code)]),
    or([sql`i.id is null`, visibleIssuesIn(ctx, seen.issues)]),
    or([sql`mr.id is null`, sql`mr.project_id = any(${[...seen.mergeRequests]}::bigint[])`]),
    or([
      sql`n.snippet_id is null`,
      sql`exists (select 1 from snippets s left join projects p on p.id = s.project_id
                   where s.id = n.snippet_id and (${visibleSnippets(ctx)}))`,
    ]),
    or([sql`e.milestone_title is null`, inOneOf(seen.planning)]),
    or([sql`e.wiki_page_title is null`, inOneOf(seen.wiki)]),
    or([sql`e.note_id is null`, and([listedNotes, or([seesOwnInternal(ctx), inOneOf(seen.internal)])])]),
  ]);
}

/**
 * The same for events `e` of one project that the caller may see. What its settings and their role decide is decided
 * here, once: asked of each event, it kept the database from reading the newest ones alone.
 */
function visibleEventsOf(ctx: Context, found: ProjectRecord): Fragment {
  const { caller } = ctx;
  const only = (open: boolean, otherwise: Fragment, where: Fragment = sql`true`): Fragment =>
    open ? where : otherwise;
  return and([
    sql`e.project_id = ${found.id}`,
    only(projectPolicy.read_code(caller, found), sql`e.action <> 'pushed' and n.commit_sha is null`),
    only(
      projectIssuePolicy.read_issue(caller, found),
      sql`i.id is null`,
      or([sql`i.id is null`, visibleIssuesOf(ctx, found)]),
    ),
    only(projectMergeRequestPolicy.read_merge_request(caller, found), sql`mr.id is null`),
    or([
      sql`n.snippet_id is null`,
      sql`exists (select 1 from snippets s where s.id = n.snippet_id and (${visibleSnippetsOf(ctx, found)}))`,
    ]),
    only(readsPlanning(caller, containerOfProject(found)), sql`e.milestone_title is null`),
    only(featureOpen(caller, found, found.wiki_access_level), sql`e.wiki_page_title is null`),
    or([
      sql`e.note_id is null`,
      and([listedNotes, ...(roleIn(caller, found, 'planner') ? [] : [seesOwnInternal(ctx)])]),
    ]),
  ]);
}

const inOrder = (sort: 'asc' | 'desc') => ({ select: selected, order: [byId('e', sort)], countLimit: MOST_COUNTED });

/** What happened in a project, of what the caller may see, the last one first. */
export const eventsOfProject = (
  ctx: Context,
  found: ProjectRecord,
  where: readonly Fragment[],
  sort: 'asc' | 'desc',
): TextList<EventRecord> => ({ ...inOrder(sort), from: tables, where: [visibleEventsOf(ctx, found), ...where] });

const everywhere = (where: readonly Fragment[], sort: 'asc' | 'desc'): TextList<EventRecord> => ({
  ...inOrder(sort),
  from: tables,
  where,
  // How many match depends on the projects.
  planEachTime: true,
});

/** What a user did, of what the caller may see, the last one first. */
export async function eventsOfAuthor(
  ctx: Context,
  authorId: number,
  where: readonly Fragment[],
  sort: 'asc' | 'desc',
): Promise<TextList<EventRecord>> {
  const seen = await seenProjects(
    ctx,
    sql`p.id = any(array(
      select distinct o.project_id from events o where o.author_id = ${authorId} and o.project_id is not null))`,
  );
  const visible = or([visibleEventsIn(ctx, seen), inVisibleGroup(ctx)]);
  return everywhere([sql`e.author_id = ${authorId}`, visible, ...where], sort);
}

/** What happened in the projects that the caller is a member of, of what they may see, the last one first. */
export async function eventsOfMember(
  ctx: SignedInContext,
  where: readonly Fragment[],
  sort: 'asc' | 'desc',
): Promise<TextList<EventRecord>> {
  const seen = await seenProjects(ctx, memberOfProject(ctx.caller.id, today(ctx)));
  return everywhere([visibleEventsIn(ctx, seen), ...where], sort);
}

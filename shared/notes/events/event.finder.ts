import type { Context } from '../../core/context.js';
import { byId } from '../../core/list.js';
import type { List } from '../../core/list.js';
import { ACCESS_LEVELS, roleIn } from '../../core/policy.js';
import { and, columns, or, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { visibleMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import { projectMergeRequestPolicy } from '../../merge-requests/merge-requests/merge-request.policy.js';
import { projectIssuePolicy } from '../../planning/issues/issue.policy.js';
import { assignedTo, visibleIssues, visibleIssuesOf } from '../../planning/issues/visible-issues.js';
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

const target = (alias: string, name: string): Sql =>
  columns({ meta: { className: name, properties: { id: 1, iid: 1, title: 1 } } } as never, alias, `${name}.`);

const selected: Sql = sql`${columns(ProjectEvent, 'e')}, ${userSummaryColumns('u', 'author.')},
  pp.event_id as "push.id", ${columns(PushEventPayload, 'pp', 'push.')}, ${columns(Note, 'n', 'note.')},
  ${target('i', 'issue')}, ${target('mr', 'merge_request')}, sn.id as "snippet.id", sn.title as "snippet.title", ${target('m', 'milestone')}`;

const tables: Sql = sql`events e
  join users u on u.id = e.author_id
  left join push_event_payloads pp on pp.event_id = e.id
  left join notes n on n.id = e.note_id
  left join issues i on i.id = coalesce(e.issue_id, n.issue_id)
  left join merge_requests mr on mr.id = coalesce(e.merge_request_id, n.merge_request_id)
  left join snippets sn on sn.id = n.snippet_id
  left join milestones m on m.id = e.milestone_id`;

/** Events are not counted beyond this: what the caller may see of each is asked one by one. */
const MOST_COUNTED = 1000;

/** That the caller may read note `n` as far as it is internal, whatever it is about. */
function seesInternal(ctx: Context): Sql {
  const { caller } = ctx;
  if (caller.admin) return sql`true`;
  if (caller.anonymous) return seesOwnInternal(ctx);
  return or([seesOwnInternal(ctx), memberOfProject(caller.id, today(ctx), ACCESS_LEVELS.planner)]);
}

/** The same for who is no Planner there. */
function seesOwnInternal({ caller }: Context): Sql {
  const open = sql`not n.internal`;
  if (caller.anonymous) return open;
  return or([open, sql`${caller.id} in (n.author_id, i.author_id, mr.author_id)`, assignedTo(caller.id)]);
}

/** That event `e` tells of the wiki of a group that the caller sees. */
function inVisibleGroup(ctx: Context): Sql {
  if (!ctx.hasPlan('premium')) return sql`false`;
  return sql`e.namespace_id is not null and exists (
    select 1 from namespaces n join group_settings gs on gs.namespace_id = n.id
     where n.id = e.namespace_id and (${visibleGroupsCondition(ctx)}))`;
}

/** That the caller may see what an event `e` tells of: in a project or group that they see, as it is seen there. */
const visibleEvents = (ctx: Context): Sql => or([inVisibleProject(ctx), inVisibleGroup(ctx)]);

function inVisibleProject(ctx: Context): Sql {
  const code = codeProjects(ctx);
  return and([
    sql`e.project_id is not null`,
    visibleProjectsCondition(ctx),
    or([sql`e.action <> 'pushed' and n.commit_sha is null`, code]),
    or([sql`i.id is null`, visibleIssues(ctx)]),
    or([sql`mr.id is null`, visibleMergeRequests(ctx)]),
    or([
      sql`n.snippet_id is null`,
      sql`exists (select 1 from snippets s where s.id = n.snippet_id and (${visibleSnippets(ctx)}))`,
    ]),
    or([sql`e.milestone_title is null`, planningProjects(ctx)]),
    or([sql`e.wiki_page_title is null`, featureOpenSql(ctx, 'wiki_access_level')]),
    or([sql`e.note_id is null`, and([listedNotes, seesInternal(ctx)])]),
  ]);
}

/**
 * The same for events `e` of one project that the caller may see. What its settings and their role decide is decided
 * here, once: asked of each event, it kept the database from reading the newest ones alone.
 */
function visibleEventsOf(ctx: Context, found: ProjectRecord): Sql {
  const { caller } = ctx;
  const only = (open: boolean, otherwise: Sql, where: Sql = sql`true`): Sql => (open ? where : otherwise);
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
  where: readonly Sql[],
  sort: 'asc' | 'desc',
): List<EventRecord> => ({ ...inOrder(sort), from: tables, where: [visibleEventsOf(ctx, found), ...where] });

/** What happened, of what the caller may see, the last one first. */
export function eventsWhere(ctx: Context, where: readonly Sql[], sort: 'asc' | 'desc'): List<EventRecord> {
  return {
    ...inOrder(sort),
    from: sql`${tables} left join projects p on p.id = e.project_id`,
    where: [visibleEvents(ctx), ...where],
  };
}

import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { columns, nested, nestedOrNull } from '../../core/database/columns.js';
import { anyIn, arrayFrom, constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { byId, narrow } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { MergeRequest } from '../../merge-requests/merge-requests/merge-request.entity.js';
import { Issue } from '../../planning/issues/issue.entity.js';
import { Milestone } from '../../planning/milestones/milestone.entity.js';
import { Snippet } from '../../planning/snippets/snippet.entity.js';
import { ProjectEvent } from '../../repositories/repositories/event.entity.js';
import { PushEventPayload } from '../../repositories/repositories/push-event-payload.entity.js';
import { memberOfProject, today } from '../../tenancy/namespaces/access.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { NotesDatabase } from '../notes.entities.js';
import { Note } from '../notes/note.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { inVisibleGroup, onEvents, findVisibleProjects, visibleEventsIn, visibleEventsOf } from './visible-events.js';
import type { OfEvents } from './visible-events.js';

interface TargetSummary {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
}

/** A user's action in a project, with its target. */
export interface EventRecord extends ProjectEvent {
  author: UserSummary;
  push: (PushEventPayload & { id: number }) | null;
  note: Note | null;
  /** What was changed, or commented on. */
  issue: TargetSummary | null;
  merge_request: TargetSummary | null;
  snippet: Omit<TargetSummary, 'iid'> | null;
  milestone: TargetSummary | null;
}

const TARGET = ['id', 'iid', 'title'] as const;

/** The targets are looked up per event: otherwise the database would choose a join over all notes or issues. */
const events = expressionBuilder<OfEvents>()
  .selectFrom('events as e')
  .innerJoin('users as u', 'u.id', 'e.author_id')
  .leftJoin('push_event_payloads as pp', 'pp.event_id', 'e.id')
  .leftJoinLateral(
    (eb) =>
      eb
        .selectFrom('notes as x')
        .select(columns(Note, 'x'))
        .whereRef('x.id', '=', 'e.note_id')
        .offset(constant(0))
        .as('n'),
    (join) => join.onTrue(),
  )
  .leftJoinLateral(
    (eb) =>
      eb
        .selectFrom('issues as x')
        .select(columns(Issue, 'x'))
        .where((of) => of('x.id', '=', of.fn.coalesce('e.issue_id', 'n.issue_id')))
        .offset(constant(0))
        .as('i'),
    (join) => join.onTrue(),
  )
  .leftJoinLateral(
    (eb) =>
      eb
        .selectFrom('merge_requests as x')
        .select(columns(MergeRequest, 'x'))
        .where((of) => of('x.id', '=', of.fn.coalesce('e.merge_request_id', 'n.merge_request_id')))
        .offset(constant(0))
        .as('mr'),
    (join) => join.onTrue(),
  )
  .leftJoinLateral(
    (eb) =>
      eb
        .selectFrom('snippets as x')
        .select(columns(Snippet, 'x', ['id', 'title']))
        .whereRef('x.id', '=', 'n.snippet_id')
        .offset(constant(0))
        .as('sn'),
    (join) => join.onTrue(),
  )
  .leftJoin('milestones as m', 'm.id', 'e.milestone_id');

const selectEvents = (query: typeof events) =>
  query.select((eb) => [
    ...columns(ProjectEvent, 'e'),
    ...nested('author', User, 'u', { only: USER_SUMMARY }),
    ...nestedOrNull('push', PushEventPayload, 'pp', { more: { id: eb.ref('pp.event_id') } }),
    ...nestedOrNull('note', Note, 'n'),
    ...nestedOrNull('issue', Issue, 'i', { only: TARGET }),
    ...nestedOrNull('merge_request', MergeRequest, 'mr', { only: TARGET }),
    ...nestedOrNull('snippet', Snippet, 'sn', { only: ['id', 'title'] }),
    ...nestedOrNull('milestone', Milestone, 'm', { only: TARGET }),
  ]);

/** Events are not counted beyond this limit, because permissions are checked for each event. */
const MOST_COUNTED = 1000;

const inOrder = (where: readonly Expression<SqlBool>[], sort: 'asc' | 'desc'): List<EventRecord> =>
  narrow(
    { matching: events, select: selectEvents, order: [byId<EventRecord>('e', sort)], countLimit: MOST_COUNTED },
    where,
  );

/** Events of a project that the caller can see, newest first. */
export const eventsOfProject = (
  ctx: Context,
  found: ProjectRecord,
  where: readonly Expression<SqlBool>[],
  sort: 'asc' | 'desc',
): List<EventRecord> => inOrder([...visibleEventsOf(ctx, found), ...where], sort);

const everywhere = (where: readonly Expression<SqlBool>[], sort: 'asc' | 'desc'): List<EventRecord> => ({
  ...inOrder(where, sort),
  // How many match depends on the projects.
  planEachTime: true,
});

/** Events of a user that the caller can see, newest first. */
export async function eventsOfAuthor(
  ctx: Context,
  authorId: number,
  where: readonly Expression<SqlBool>[],
  sort: 'asc' | 'desc',
): Promise<List<EventRecord>> {
  const eb = expressionBuilder<Aliased<NotesDatabase, { p: 'projects' }>, 'p'>();
  const active = eb
    .selectFrom('events as o')
    .select('o.project_id')
    .distinct()
    .where('o.author_id', '=', authorId)
    .where('o.project_id', 'is not', null)
    .$castTo<{ project_id: number }>();
  const projects = await findVisibleProjects(ctx, eb('p.id', '=', anyIn(arrayFrom(active))));
  const visible = onEvents.or([visibleEventsIn(ctx, projects), inVisibleGroup(ctx)]);
  return everywhere([onEvents('e.author_id', '=', authorId), visible, ...where], sort);
}

/** What happened in the projects that the caller is a member of, of what they may see, the last one first. */
export async function eventsOfMember(
  ctx: SignedInContext,
  where: readonly Expression<SqlBool>[],
  sort: 'asc' | 'desc',
): Promise<List<EventRecord>> {
  const projects = await findVisibleProjects(ctx, memberOfProject(ctx.caller.id, today(ctx)));
  return everywhere([visibleEventsIn(ctx, projects), ...where], sort);
}

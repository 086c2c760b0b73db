import type { QueryCreator } from 'kysely';
import { getUserId } from '../../core/context/callers.js';
import type { RecordedEvent } from '../../core/context/context.js';
import { anyOf, unnestedRows } from '../../core/database/expressions.js';
import { ACTIVITY_INTERVAL_MS } from '../../tenancy/projects/project.entity.js';
import type { ContainerSummary } from '../../tenancy/tenancy.events.js';
import type { NotesDatabase } from '../notes.entities.js';

/** Domain events that the Events API reports, in addition to pushes. */
export const EVENTFUL = [
  'project.created',
  'member.added',
  'member.removed',
  'milestone.created',
  'milestone.updated',
  'milestone.deleted',
  'issue.created',
  'issue.changed',
  'merge_request.created',
  'merge_request.changed',
  'merge_request.merged',
  'note.created',
  'wiki.changed',
] as const;

type Happened = RecordedEvent<(typeof EVENTFUL)[number]>['event'];

/** The values of an event; the author is the caller unless specified. */
interface NewEvent {
  /** Null for actions in a group itself. */
  readonly project_id: number | null;
  readonly namespace_id?: number;
  readonly action:
    | 'created'
    | 'closed'
    | 'reopened'
    | 'commented'
    | 'merged'
    | 'destroyed'
    | 'joined'
    | 'left'
    | 'updated';
  readonly author_id?: number;
  readonly issue_id?: number;
  readonly merge_request_id?: number;
  readonly milestone_id?: number;
  readonly note_id?: number;
  readonly milestone_title?: string;
  readonly wiki_page_meta_id?: number | null;
  readonly wiki_page_title?: string;
}

/** In a project; what happens in groups is no project's event. */
const inProject = (container: ContainerSummary, event: Omit<NewEvent, 'project_id' | 'namespace_id'>): NewEvent[] =>
  'project' in container ? [{ project_id: container.project.id, ...event }] : [];

function ofMilestone(event: Extract<Happened, { type: `milestone.${string}` }>): NewEvent[] {
  const { container, milestone } = event;
  const milestoneColumns = { milestone_id: milestone.id, milestone_title: milestone.title };
  if (event.type === 'milestone.created') return inProject(container, { action: 'created', ...milestoneColumns });
  if (event.type === 'milestone.deleted')
    return inProject(container, { action: 'destroyed', milestone_title: milestone.title });
  if (!event.turned) return [];
  return inProject(container, { action: event.turned === 'closed' ? 'closed' : 'reopened', ...milestoneColumns });
}

/** Whether something was closed or opened again, once for each time. */
const listStateChanges = (changes: readonly { readonly attribute: string }[]): ('closed' | 'reopened')[] =>
  changes.flatMap((change) =>
    change.attribute === 'state' ? [(change as unknown as { to: 'closed' | 'reopened' }).to] : [],
  );

const WIKI_ACTIONS = { created: 'created', updated: 'updated', deleted: 'destroyed' } as const;

/** Of pages of a wiki, of a project or a group. */
function ofWiki({ container, pages }: Extract<Happened, { type: 'wiki.changed' }>): NewEvent[] {
  const columns =
    container.kind === 'project'
      ? { project_id: container.id }
      : ({ project_id: null, namespace_id: container.id } as const);
  return pages.map(({ action, title, meta_id }) => ({
    ...columns,
    action: WIKI_ACTIONS[action],
    wiki_page_meta_id: meta_id,
    wiki_page_title: title,
  }));
}

function getEvents(event: Happened): NewEvent[] {
  switch (event.type) {
    case 'project.created':
      return [{ project_id: event.project.id, action: 'created' }];
    case 'member.added':
      return inProject(event.container, { action: 'joined', author_id: event.member.id });
    case 'member.removed':
      return inProject(event.container, { action: 'left', author_id: event.member.id });
    case 'milestone.created':
    case 'milestone.updated':
    case 'milestone.deleted':
      return ofMilestone(event);
    case 'issue.created':
      return [{ project_id: event.project.id, action: 'created', issue_id: event.issue.id }];
    case 'issue.changed':
      return listStateChanges(event.changes).map((action) => ({
        project_id: event.project.id,
        action,
        issue_id: event.issue.id,
      }));
    case 'merge_request.created':
      return [{ project_id: event.project.id, action: 'created', merge_request_id: event.merge_request.id }];
    case 'merge_request.changed':
      return listStateChanges(event.changes).map((action) => ({
        project_id: event.project.id,
        action,
        merge_request_id: event.merge_request.id,
      }));
    case 'merge_request.merged':
      return [{ project_id: event.project.id, action: 'merged', merge_request_id: event.merge_request.id }];
    case 'note.created':
      return event.note.project_id
        ? [{ project_id: event.note.project_id, action: 'commented', note_id: event.note.id }]
        : [];
    case 'wiki.changed':
      return ofWiki(event);
  }
}

/** The project of an event, or null for an action in a group. */
function getProject(event: Happened): number | null {
  switch (event.type) {
    case 'note.created':
      return event.note.project_id ?? null;
    case 'wiki.changed':
      return event.container.kind === 'project' ? event.container.id : null;
    default:
      if ('project' in event) return event.project.id;
      return 'project' in event.container ? event.container.project.id : null;
  }
}

const TYPES = {
  project_id: 'bigint',
  namespace_id: 'bigint',
  author_id: 'bigint',
  action: 'text',
  issue_id: 'bigint',
  merge_request_id: 'bigint',
  milestone_id: 'bigint',
  note_id: 'bigint',
  milestone_title: 'text',
  wiki_page_meta_id: 'bigint',
  wiki_page_title: 'text',
  created_at: 'timestamptz',
} as const;
const COLUMNS = Object.keys(TYPES) as (keyof typeof TYPES)[];

/**
 * Updates `last_activity_at` of projects with new events. Skips rows locked by other transactions instead of waiting
 * for them; the next event in the project updates them.
 */
const moveLastActivity = (db: QueryCreator<NotesDatabase>, projectIds: readonly number[], now: Date) =>
  db
    .updateTable('projects')
    .set({ last_activity_at: now })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('projects as a')
        .select('a.id')
        .where('a.id', '=', anyOf(projectIds, 'bigint'))
        .where('a.last_activity_at', '<=', new Date(now.getTime() - ACTIVITY_INTERVAL_MS))
        .forNoKeyUpdate()
        .skipLocked(),
    );

/**
 * Writes what people did as events of their projects, in the transaction that they did it in, and moves the projects'
 * last activity by the same statement.
 */
export async function writeEvents(recorded: readonly RecordedEvent<(typeof EVENTFUL)[number]>[]): Promise<void> {
  const attributedEvents = recorded.flatMap(({ ctx, event }) =>
    getEvents(event).map((one) => ({ ctx, ...one, author_id: one.author_id ?? getUserId(ctx.caller) })),
  );
  // Changes not made by a user create no events.
  const events = attributedEvents.filter(({ author_id: author }) => author !== 0);
  const projects = new Set(recorded.flatMap(({ event }) => getProject(event) ?? []));
  const [first] = recorded;
  if (!first || (events.length === 0 && projects.size === 0)) return;
  const rows = events.map(({ ctx, ...event }) => ({
    project_id: event.project_id,
    namespace_id: event.namespace_id ?? null,
    author_id: event.author_id,
    action: event.action,
    issue_id: event.issue_id ?? null,
    merge_request_id: event.merge_request_id ?? null,
    milestone_id: event.milestone_id ?? null,
    note_id: event.note_id ?? null,
    milestone_title: event.milestone_title ?? null,
    wiki_page_meta_id: event.wiki_page_meta_id ?? null,
    wiki_page_title: event.wiki_page_title ?? null,
    created_at: ctx.clock.now(),
  }));
  await first.ctx.em
    .getKysely<NotesDatabase>()
    .with('active', (db) => moveLastActivity(db, [...projects], first.ctx.clock.now()))
    .insertInto('events')
    .columns(COLUMNS)
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(rows, TYPES).withPositionAs('u'))
        .select(COLUMNS.map((name) => `u.${name}` as const))
        .orderBy('u.position'),
    )
    .execute();
}

import { isPrincipal, getUserId } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context, RecordedEvent } from '../../core/context/context.js';
import { constant, unnestedRows } from '../../core/database/expressions.js';
import type { DomainEvent } from '../../core/values/events.js';
import type { MergeRequestChange } from '../../merge-requests/merge-requests.events.js';
import type { EpicChange } from '../../planning/issuables/issuable-changes.js';
import type { NotesDatabase } from '../notes.entities.js';
import { createMentionToDos } from '../notes.jobs.js';
import type { NoteRecord } from '../notes/note.entity.js';
import { insertToDos, NO_TARGET } from './insert-to-dos.js';
import type { ToDoTarget } from './insert-to-dos.js';
import { getPipelineEffects } from './pipeline-to-dos.js';
import type { ToDoAction } from './to-do.entity.js';
import { toDosOfResponsible } from './to-do-effects.js';
import type { DoneToDos, Effects, WrittenText } from './to-do-effects.js';

/** Domain events that put something on somebody's list, or take it off. */
export const TO_DO_EVENTS = [
  'issue.created',
  'issue.changed',
  'epic.created',
  'epic.changed',
  'merge_request.created',
  'merge_request.changed',
  'merge_request.merged',
  'merge_request.approved',
  'merge_request.pushed',
  'merge_request.unmergeable',
  'note.created',
  'note.updated',
  'pipeline.finished',
] as const;

type ToDoEvent = DomainEvent<(typeof TO_DO_EVENTS)[number]>;
type Change = MergeRequestChange | EpicChange;

const mayMention = (...texts: readonly (string | null | undefined)[]) => texts.some((text) => text?.includes('@'));

interface Issuable {
  readonly id: number;
  readonly title: string;
  readonly description?: string | null;
}

interface IssuableEvent {
  readonly caller: number;
  readonly source: WrittenText['source'];
  readonly record: Issuable;
  readonly target: ToDoTarget;
  readonly changes: readonly Change[];
  readonly isNew: boolean;
}

/** Who may be told that they got, or lost, a task. */
const TASKS = { assignees: 'assigned', reviewers: 'review_requested' } as const;

const isTask = (change: Change): change is Extract<Change, { attribute: keyof typeof TASKS }> =>
  change.attribute in TASKS;

const isText = ({ attribute }: Change) => attribute === 'title' || attribute === 'description';

const isReopening = (change: Change) => change.attribute === 'state' && change.to === 'reopened';

/** Of a record that was made or changed: new tasks, those that are nobody's any more, and what who changed it had to do. */
function ofIssuable({ caller, source, record, target, changes, isNew }: IssuableEvent): Effects {
  const tasks = changes.filter(isTask);
  const added = tasks.flatMap(({ attribute, added: users }) =>
    users
      .filter(({ id }) => id !== caller)
      .map(({ id }) => ({ ...target, user_id: id, author_id: caller, action: TASKS[attribute] })),
  );
  const lostTasks = tasks.flatMap(({ attribute, removed }) =>
    removed.map(({ id }) => ({ user_id: id, target, action: TASKS[attribute] })),
  );
  const isAction = !isNew && changes.some((change) => !isReopening(change));
  const hasNewText = (isNew || changes.some(isText)) && mayMention(record.title, record.description);
  return {
    added,
    done: [...(isAction ? [{ user_id: caller, target }] : []), ...lostTasks],
    texts: hasNewText ? [{ source, id: record.id }] : [],
  };
}

const targetOfNote = ({ project_id, namespace_id, issue_id, merge_request_id, epic_id, commit_sha }: NoteRecord) => ({
  project_id: project_id ?? null,
  namespace_id: namespace_id ?? null,
  issue_id: issue_id ?? null,
  merge_request_id: merge_request_id ?? null,
  epic_id: epic_id ?? null,
  commit_sha: commit_sha ?? null,
});

function ofNote(event: DomainEvent<'note.created' | 'note.updated'>, caller: number): Effects {
  const { type, note } = event;
  // Snippets are on no list.
  if (note.snippet_id) return {};
  return {
    done: type === 'note.created' ? [{ user_id: caller, target: targetOfNote(note) }] : [],
    texts: mayMention(note.note) ? [{ source: 'note', id: note.id }] : [],
  };
}

function getEffects(event: ToDoEvent, caller: number): Effects {
  switch (event.type) {
    case 'issue.created':
    case 'issue.changed': {
      const { issue: record, project, changes } = event;
      const target = { project_id: project.id, issue_id: record.id };
      return ofIssuable({ caller, source: 'issue', record, target, changes, isNew: event.type === 'issue.created' });
    }
    case 'epic.created':
    case 'epic.changed': {
      const { epic: record, group, changes } = event;
      const target = { namespace_id: group.id, epic_id: record.id };
      return ofIssuable({ caller, source: 'epic', record, target, changes, isNew: event.type === 'epic.created' });
    }
    case 'note.created':
    case 'note.updated':
      return ofNote(event, caller);
    case 'pipeline.finished':
      return { pipeline: event.pipeline };
    default:
      return ofMergeRequest(event, caller);
  }
}

function ofMergeRequest(event: Extract<ToDoEvent, { type: `merge_request.${string}` }>, caller: number): Effects {
  const { merge_request: record, project } = event;
  const target = { project_id: project.id, merge_request_id: record.id };
  switch (event.type) {
    case 'merge_request.created':
    case 'merge_request.changed': {
      const isNew = event.type === 'merge_request.created';
      return ofIssuable({ caller, source: 'merge_request', record, target, changes: event.changes, isNew });
    }
    case 'merge_request.unmergeable':
      return { added: toDosOfResponsible(record, target, 'unmergeable') };
    default:
      return { done: [{ user_id: caller, target }] };
  }
}

const DONE_TYPES = {
  user_id: 'bigint',
  project_id: 'bigint',
  issue_id: 'bigint',
  merge_request_id: 'bigint',
  epic_id: 'bigint',
  commit_sha: 'text',
  action: 'text',
} as const;

/** Marks pending to-dos as done: those of the users whom `done` names, or everybody's. One statement. */
async function finishThose(ctx: Context<Caller>, done: readonly DoneToDos[], ofEverybody: boolean): Promise<void> {
  const rows = done.map(({ user_id, target, action = null }) => ({ ...NO_TARGET, ...target, user_id, action }));
  if (rows.length === 0) return;
  const finished = ctx.em
    .getKysely<NotesDatabase>()
    .updateTable('todos as t')
    .from(unnestedRows(rows, DONE_TYPES).as('d'))
    .set({ state: 'done', updated_at: ctx.clock.now() });
  await (ofEverybody ? finished : finished.whereRef('t.user_id', '=', 'd.user_id'))
    .where('t.state', '=', constant<'pending' | 'done'>('pending'))
    .where((eb) => eb.or([eb('d.action', 'is', null), eb('t.action', '=', eb.ref('d.action').$castTo<ToDoAction>())]))
    .where((eb) =>
      eb.or([
        eb('t.issue_id', '=', eb.ref('d.issue_id')),
        eb('t.merge_request_id', '=', eb.ref('d.merge_request_id')),
        eb('t.epic_id', '=', eb.ref('d.epic_id')),
        eb.and([eb('t.project_id', '=', eb.ref('d.project_id')), eb('t.commit_sha', '=', eb.ref('d.commit_sha'))]),
      ]),
    )
    .execute();
}

/** Marks pending to-dos as done. A statement, and another for those of everybody. */
async function finishToDos(ctx: Context<Caller>, done: readonly DoneToDos[]): Promise<void> {
  // What nobody did was on nobody's list.
  const isOfOne = ({ user_id: userId }: DoneToDos) => userId !== null && userId !== 0;
  await finishThose(ctx, done.filter(isOfOne), false);
  await finishThose(
    ctx,
    done.filter(({ user_id: userId }) => userId === null),
    true,
  );
}

/**
 * Puts what happened on the lists of those whom it concerns, and takes off what its author has seen to by it
 * (decision 77). Mentions, whose number others choose, are read by a job.
 */
export async function updateToDos(recorded: readonly RecordedEvent<(typeof TO_DO_EVENTS)[number]>[]): Promise<void> {
  const [first] = recorded;
  if (!first) return;
  const { ctx } = first;
  const own = recorded.map((one) => ({ ctx: one.ctx, effects: getEffects(one.event, getUserId(one.ctx.caller)) }));
  const finished = own.flatMap(({ effects }) => effects.pipeline ?? []);
  const effects = own.map((one) => one.effects);
  if (finished.length > 0) effects.push(...(await getPipelineEffects(ctx, finished)));
  await finishToDos(
    ctx,
    effects.flatMap(({ done = [] }) => done),
  );
  const now = ctx.clock.now();
  const added = effects.flatMap(({ added: some = [] }) => some).filter(({ author_id: author }) => author !== 0);
  if (added.length > 0)
    await insertToDos(
      ctx,
      added.map((one) => ({ ...one, created_at: now })),
    );
  for (const one of own) {
    const { caller } = one.ctx;
    if (isPrincipal(caller) || caller.anonymous) continue;
    await one.ctx.jobs.sendAll(
      createMentionToDos,
      (one.effects.texts ?? []).map((text) => ({ ...text, user_id: caller.id, at: now.toISOString() })),
    );
  }
}

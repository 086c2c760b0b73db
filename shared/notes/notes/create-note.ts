import { randomBytes } from 'node:crypto';
import type { SignedInContext } from '../../core/context/context.js';
import { pageChangeNotification } from '../../core/page-changes/publish-page-changes.js';
import { Invalid } from '../../core/values/errors.js';
import type { Noteable } from '../noteables/noteable.js';
import type { NotesDatabase } from '../notes.entities.js';
import { QUICK_ACTIONS } from '../quick-actions/quick-actions.js';
import { splitCommands } from '../quick-actions/split-commands.js';
import type { CommandsOutcome } from '../quick-actions/quick-action.js';
import { checkedPosition } from './check-position.js';
import type { PositionInput } from './position-params.js';
import { keepDiffLines } from './diff-lines.js';
import type { NoteDiffLine } from './note-diff-lines.entity.js';
import type { Note, CommandsOnly, NoteRecord } from './note.entity.js';
import { findNote } from './note.finder.js';
import { noteablePolicy } from './note.policy.js';
import {
  InvalidNote,
  noRoom,
  requireBody,
  requireValidCreatedAt,
  requireRoomForNote,
  roomForNote,
} from './note.rules.js';

/** The requested properties of a comment. */
export interface NoteInput {
  readonly body: string;
  readonly created_at?: Date | undefined;
  readonly internal?: boolean | undefined;
  /** Where in a diff a thread is to start. */
  readonly position?: PositionInput | undefined;
  /** The commit of a merge request that it is to start on. */
  readonly commit_id?: string | undefined;
  /** The head of a merge request that its author saw. */
  readonly merge_request_diff_head_sha?: string | undefined;
}

/** The position of a diff note. */
export type NotePosition = Pick<Note, 'position' | 'original_position' | 'outdated' | 'diff_commit_sha'>;

/** The thread that a comment is added to, as its notes begin. */
interface Thread {
  readonly discussion_id: string;
  readonly internal: boolean;
  readonly resolved: boolean;
  /** Of a thread on a diff. */
  readonly position: NotePosition | null;
}

/** The result of a comment: the note, if any text was left, and the outcome of its commands. */
export interface WrittenNote {
  readonly note: NoteRecord | null;
  readonly commands: CommandsOutcome | null;
}

/** Whether a comment is internal: like its thread, or else as requested by callers with permission (section 4.1.7). */
function isInternal(ctx: SignedInContext, noteable: Noteable, input: NoteInput, thread: Thread | undefined): boolean {
  if (thread) return thread.internal;
  if (input.internal && !noteable.type.internal)
    throw new InvalidNote('confidential', 'can not be set for this resource');
  return input.internal === true && noteablePolicy.create_internal_note(ctx.caller, noteable);
}

/** The requested creation time; ignored unless the caller is an Owner (section 4.1.6). */
function findCreatedAt(
  ctx: SignedInContext,
  noteable: Noteable,
  { created_at: createdAt }: NoteInput,
): Date | undefined {
  if (!createdAt || !noteablePolicy.set_note_created_at(ctx.caller, noteable)) return undefined;
  requireValidCreatedAt(createdAt);
  return createdAt;
}

/**
 * Runs the commands of a comment and returns the remaining text. Checks for room before running any of them, because
 * effects in git are not rolled back.
 */
async function runCommands(ctx: SignedInContext, noteable: Noteable, { body, ...input }: NoteInput) {
  const actions = QUICK_ACTIONS[noteable.type.kind];
  if (!actions || !body.includes('/')) return { text: body, outcome: null };
  const { text, commands } = splitCommands(body, actions.names);
  if (commands.length === 0) return { text: body, outcome: null };
  if (text.trim() !== '') await requireRoomForNote(ctx, noteable);
  return { text, outcome: await actions.run(ctx, noteable, commands, input.merge_request_diff_head_sha) };
}

/** The requested diff position of a new thread, with the lines displayed with it. @throws InvalidNote */
async function positionFor(
  ctx: SignedInContext,
  noteable: Noteable,
  input: NoteInput,
): Promise<{ position: NotePosition; lines: readonly NoteDiffLine[] } | null> {
  const { position: requested, commit_id = null, internal } = input;
  if (!requested) return null;
  if (internal) throw new InvalidNote('confidential', 'can not be set for this resource');
  const { position, lines } = await checkedPosition(ctx, noteable, requested);
  if (commit_id !== null && commit_id !== position.head_sha) throw new InvalidNote('commit_id', 'is invalid');
  const ofCommit = noteable.type.kind === 'merge_request' ? commit_id : null;
  return { position: { position, original_position: position, outdated: false, diff_commit_sha: ofCommit }, lines };
}

/** The properties that a reply inherits from its thread. */
const asReply = (ctx: SignedInContext, { discussion_id, resolved }: Thread) => ({
  discussion_id,
  ...(resolved ? { resolved_at: ctx.clock.now(), resolved_by_id: ctx.caller.id } : {}),
});

/** The content of a new note, in addition to its record and author. */
interface NewNote extends Partial<Pick<Note, 'position' | 'original_position' | 'outdated' | 'diff_commit_sha'>> {
  readonly note: string;
  readonly internal: boolean;
  readonly type: 'DiscussionNote' | 'DiffNote' | null;
  /** Of the thread that it is added to; a new one where left out. */
  readonly discussion_id?: string;
  readonly resolved_at?: Date | null;
  readonly resolved_by_id?: number | null;
  /** Now where left out. */
  readonly created_at?: Date;
}

/** Another thread's id: 40 hexadecimal digits (discussions-and-notes.md section 3.1). */
const newDiscussionId = (): string => randomBytes(20).toString('hex');

/** Inserts a comment by the caller on a locked record, and records the event. @throws InvalidNote if it is full */
async function insertNote(ctx: SignedInContext, noteable: Noteable, attributes: NewNote): Promise<NoteRecord> {
  const created = attributes.created_at ?? ctx.clock.now();
  const values: Partial<Note> = {
    ...noteable.type.columns(noteable),
    discussion_id: newDiscussionId(),
    ...attributes,
    author_id: ctx.caller.id,
    created_at: created,
    updated_at: created,
  };
  const change = noteable.type.pageChange(noteable, attributes.internal);
  const names = Object.keys(values) as (keyof NotesDatabase['notes'])[];
  const db = ctx.em.getKysely<NotesDatabase>();
  const row = await db
    .insertInto('notes')
    .columns(names)
    .expression(
      db.selectNoFrom((eb) => names.map((name) => eb.val(values[name]).as(name))).where(roomForNote(noteable)),
    )
    .returning(['id', ...(change ? [pageChangeNotification(change).as('notified')] : [])])
    .executeTakeFirst();
  if (!row) throw noRoom();
  await noteable.type.touch?.(ctx, noteable);
  const note = await findNote(ctx, noteable, row.id);
  ctx.record({ type: 'note.created', note });
  return note;
}

/**
 * Writes a comment on a locked record that the caller can comment on: its commands are run and removed from the text;
 * if no text is left, no note is stored (discussions-and-notes.md section 4.1).
 * @param type of the note if it is not added to a thread
 * @throws InvalidNote, Invalid if no command could be run and no text is left
 */
export async function writeNote(
  ctx: SignedInContext,
  noteable: Noteable,
  input: NoteInput,
  type: NewNote['type'],
  thread?: Thread,
): Promise<WrittenNote> {
  requireBody(input.body);
  const internal = isInternal(ctx, noteable, input, thread);
  const created_at = findCreatedAt(ctx, noteable, input);
  const begun = thread ? null : await positionFor(ctx, noteable, input);
  const position = thread ? thread.position : begun?.position;
  const { text, outcome } = await runCommands(ctx, noteable, input);
  if (outcome && text.trim() === '') {
    if (outcome.messages.length === 0) throw new FailedCommands(outcome);
    return { note: null, commands: outcome };
  }
  const note = await insertNote(ctx, noteable, {
    note: text,
    internal,
    type: position ? 'DiffNote' : type,
    ...position,
    ...(thread ? asReply(ctx, thread) : {}),
    ...(created_at ? { created_at } : {}),
  });
  if (begun) await keepDiffLines(ctx, note, begun.lines);
  return { note: outcome ? { ...note, commands: outcome } : note, commands: outcome };
}

/** A comment of commands of which none could be run. */
export class FailedCommands extends Invalid {
  constructor(readonly outcome: CommandsOutcome) {
    super('400 Bad request - Failed to apply commands.');
  }
}

/** What REST answers to a comment of commands alone. */
export const commandsOnly = ({ commands }: WrittenNote): CommandsOnly => ({
  commands: commands ?? { names: [], changes: {}, messages: [], errors: [] },
});

/** What REST answers to a comment: the note, or what its commands did. */
export const getNoteAnswer = (written: WrittenNote): NoteRecord | CommandsOnly => written.note ?? commandsOnly(written);

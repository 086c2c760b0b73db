import type { SignedInContext } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { Forbidden, Invalid } from '../../core/values/errors.js';
import { authorize } from '../../core/operations/operation.js';
import type { NotesDatabase } from '../notes.entities.js';
import { Note } from '../notes/note.entity.js';
import type { DiscussionRecord, NoteRecord } from '../notes/note.entity.js';
import { writeNote } from '../notes/create-note.js';
import type { NoteInput, NotePosition, WrittenNote } from '../notes/create-note.js';
import { findNote } from '../notes/note.finder.js';
import { noteablePolicy, notePolicy } from '../notes/note.policy.js';
import { isResolvable } from '../notes/note.rules.js';
import { notesOfDiscussion } from './discussion.finder.js';

/** Whether all of a thread that can be resolved is, of what there is one at least (section 5.2). */
export function isResolved(notes: readonly NoteRecord[]): boolean {
  const resolvable = notes.filter(isResolvable);
  return resolvable.length > 0 && resolvable.every(({ resolved_at: at }) => at);
}

/** Turns a single comment into the first note of a thread; the thread keeps the comment's id. */
async function makeThread(ctx: SignedInContext, first: NoteRecord): Promise<NoteRecord> {
  await ctx.em.nativeUpdate(Note, { id: first.id }, { type: 'DiscussionNote' });
  const note = await findNote(ctx, first.noteable, first.id);
  ctx.record({ type: 'note.made_thread', note });
  return note;
}

/** The position of a diff note, which its replies share. */
const getPosition = ({ position, original_position, outdated, diff_commit_sha }: NoteRecord): NotePosition => ({
  position,
  original_position,
  outdated,
  diff_commit_sha,
});

/** @throws Invalid for single comments on what knows no threads of replies (section 4.2) */
function requireRepliable({ type, noteable }: DiscussionRecord): void {
  if (type === null && !noteable.type.converts)
    throw new Invalid('400 Bad request - Discussion can not be replied to.');
}

/**
 * Adds a reply to a thread; a single comment becomes a thread, if its kind allows that. Replies to a resolved thread
 * are resolved as well (discussions-and-notes.md section 4.2).
 * @throws Invalid, InvalidNote
 */
export async function replyTo(
  ctx: SignedInContext,
  discussion: DiscussionRecord,
  input: NoteInput,
): Promise<WrittenNote> {
  requireRepliable(discussion);
  const notes = await notesOfDiscussion(ctx, discussion);
  const first = notes[0] as NoteRecord;
  const thread = {
    discussion_id: discussion.discussion_id,
    internal: first.internal,
    resolved: isResolved(notes),
    position: first.type === 'DiffNote' ? getPosition(first) : null,
  };
  const written = await writeNote(ctx, discussion.noteable, input, 'DiscussionNote', thread);
  if (written.note && discussion.type === null) await makeThread(ctx, first);
  return written;
}

/**
 * Turns a single comment into a thread of one note (GraphQL's `noteConvertToThread`). @throws Forbidden, Invalid where
 * it is none, or cannot be replied to
 */
export async function convertToThread(ctx: SignedInContext, note: NoteRecord): Promise<NoteRecord> {
  authorize(ctx, notePolicy, 'create_note', note);
  if (note.type !== null) throw new Invalid('Note is already part of a thread');
  if (!note.noteable.type.converts) throw new Invalid('Note cannot be converted to a thread');
  return makeThread(ctx, note);
}

/** Resolves all notes of a thread, or takes that back; it may be so already. @throws Forbidden, Invalid */
export async function resolveThread(
  ctx: SignedInContext,
  discussion: DiscussionRecord,
  resolved: boolean,
): Promise<DiscussionRecord> {
  const { noteable, discussion_id: id } = discussion;
  if (!noteablePolicy.resolve_discussion(ctx.caller, noteable)) throw new Forbidden();
  const notes = await notesOfDiscussion(ctx, discussion);
  const changing = notes.filter((note) => isResolvable(note) && Boolean(note.resolved_at) !== resolved);
  if (!notes.some(isResolvable)) throw new Invalid('400 Bad request - Discussion is not resolvable');
  const [first] = changing;
  if (!first) return discussion;
  const [at, by] = resolved ? [ctx.clock.now(), ctx.caller.id] : [null, null];
  const ids = changing.map((note) => note.id);
  await ctx.em
    .getKysely<NotesDatabase>()
    .updateTable('notes')
    .set({ resolved_at: at, resolved_by_id: by })
    .where('id', '=', anyOf(ids, 'bigint'))
    .where('discussion_id', '=', id)
    .execute();
  ctx.record({ type: 'discussion.resolved', note: await findNote(ctx, noteable, first.id), resolved });
  // A new object, because the data loaded for the previous one is outdated.
  return { ...discussion };
}

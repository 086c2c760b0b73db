import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { constant } from '../../core/database/expressions.js';
import { NotFound } from '../../core/values/errors.js';
import { boolean, integer, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { loadNoteable } from '../noteables/noteable-types.js';
import { deleteNote, editNote } from '../notes/edit-note.js';
import { Note } from '../notes/note.entity.js';
import type { DiscussionRecord, NoteRecord } from '../notes/note.entity.js';
import type { OfNotes } from '../noteables/on-notes.js';
import { textOfEditedNote } from '../notes/note-spam.js';
import { againstSpam } from '../../tenancy/spam/against-spam.js';
import { findAnyNote } from '../notes/note.finder.js';
import { noteablePolicy, notePolicy } from '../notes/note.policy.js';
import { findDiscussion } from './discussion.finder.js';
import { convertToThread, resolveThread } from './thread.js';

/*
 * Notes and threads of any kind of record, addressed by their global ids as in GraphQL. Each operation does the same as
 * the REST operation for the kind of record.
 */

/** A note by its global id, whatever it is about, which is locked for a write. */
export const noteById: Resource<NoteRecord> = {
  noun: 'Note',
  params: { id: integer().describe('Global ID of the note.') },
  find: (ctx, input: { id: number }) => findAnyNote(ctx, input.id),
};

const findFirstNote = prepareQuery((db: Kysely<OfNotes>, { id }: Placeholders<{ id: string }>) =>
  db
    .selectFrom('notes as n')
    .select(columns(Note, 'n'))
    .where('n.discussion_id', '=', id)
    .orderBy('n.id')
    .limit(constant(1)),
);

/** A thread by its id, whatever it is about, which is locked for a write. @throws NotFound */
export async function findAnyDiscussion(ctx: Context, id: string): Promise<DiscussionRecord> {
  const [row] = await findFirstNote(ctx, { id });
  if (!row) throw new NotFound('Discussion');
  return findDiscussion(ctx, await loadNoteable(ctx, row), id);
}

const discussionById: Resource<DiscussionRecord> = {
  noun: 'Discussion',
  params: { discussion_id: text().describe('ID of the thread.') },
  find: (ctx, input: { discussion_id: string }) => findAnyDiscussion(ctx, input.discussion_id),
};

/** Read a note of whatever record. */
export const getAnyNote = operation({
  name: 'getAnyNote',
  summary: 'Read a note by its global id',
  resource: noteById,
  can: can(notePolicy, 'read_note'),
  authentication: 'open',
  kind: 'read',
  statements: 10,
  run: (_ctx, note) => Promise.resolve(note),
});

/** Edit a note of whatever record. */
export const updateAnyNote = operation({
  name: 'updateAnyNote',
  summary: 'Edit a note by its global id',
  resource: noteById,
  can: can(notePolicy, 'admin_note'),
  kind: 'write',
  precheck: againstSpam(textOfEditedNote),
  statements: 27,
  params: { body: text().optional().describe('Content of the note.') },
  run: (ctx, note, { body }) => editNote(ctx, note, body ?? note.note),
});

/** Delete a note of whatever record. */
export const destroyAnyNote = operation({
  name: 'destroyAnyNote',
  summary: 'Delete a note by its global id',
  resource: noteById,
  can: can(notePolicy, 'admin_note'),
  kind: 'write',
  statements: 20,
  run: (ctx, note) => deleteNote(ctx, note),
});

/** Make a single comment a thread that can be replied to and resolved. */
export const convertAnyNote = operation({
  name: 'convertNoteToThread',
  summary: 'Convert a comment to a thread',
  resource: noteById,
  can: can(notePolicy, 'create_note'),
  kind: 'write',
  statements: 20,
  run: (ctx, note) => convertToThread(ctx, note),
});

/** Resolve a thread of whatever record, or take that back. */
export const resolveAnyDiscussion = operation({
  name: 'resolveAnyDiscussion',
  summary: 'Resolve a thread by its id',
  resource: discussionById,
  can: {
    ability: 'resolve_discussion',
    rule: (caller, { noteable }: DiscussionRecord) => noteablePolicy.resolve_discussion(caller, noteable),
  },
  kind: 'write',
  statements: 20,
  params: { resolved: boolean().describe('If `true`, resolves the thread; if `false`, unresolves the thread.') },
  run: (ctx, discussion, { resolved }) => resolveThread(ctx, discussion, resolved),
});

import { randomBytes } from 'node:crypto';
import type { SignedInContext } from '../../core/context/context.js';
import { changeToldToPages } from '../../core/page-changes/follow-events.js';
import type { Noteable } from '../noteables/noteable.js';
import type { NotesDatabase } from '../notes.entities.js';
import { noteChange } from '../notes.pages.js';
import type { Note } from './note.entity.js';
import { findNote } from './note.finder.js';
import type { NoteRecord } from './note.record.js';
import { noRoom, roomForNote } from './note.rules.js';

/** What a new note holds beside what it is about and who writes it. */
export interface NewNote extends Partial<
  Pick<Note, 'position' | 'original_position' | 'outdated' | 'diff_commit_sha'>
> {
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

/** Writes a comment of the caller, and tells of it. What it is about is locked. @throws InvalidNote where that is full */
export async function insertNote(ctx: SignedInContext, noteable: Noteable, given: NewNote): Promise<NoteRecord> {
  const created = given.created_at ?? ctx.clock.now();
  const values: Partial<Note> = {
    ...noteable.type.columns(noteable),
    discussion_id: newDiscussionId(),
    ...given,
    author_id: ctx.caller.id,
    created_at: created,
    updated_at: created,
  };
  const change = noteChange(noteable, given.internal);
  const names = Object.keys(values) as (keyof NotesDatabase['notes'])[];
  const db = ctx.em.getKysely<NotesDatabase>();
  const made = await db
    .insertInto('notes')
    .columns(names)
    .expression(
      db.selectNoFrom((eb) => names.map((name) => eb.val(values[name]).as(name))).where(roomForNote(noteable)),
    )
    .returning(['id', ...(change ? [changeToldToPages(change).as('told')] : [])])
    .executeTakeFirst();
  if (!made) throw noRoom();
  await noteable.type.touch?.(ctx, noteable);
  const note = await findNote(ctx, noteable, made.id);
  ctx.record({ type: 'note.created', note });
  return note;
}

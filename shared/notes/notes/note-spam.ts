import { ANONYMOUS } from '../../core/context/callers.js';
import type { SignedInContext } from '../../core/context/context.js';
import type { GuardedText } from '../../tenancy/spam/checker.js';
import type { Noteable } from '../noteables/noteable.js';
import { findNote } from './note.finder.js';
import { noteablePolicy, notePolicy } from './note.policy.js';
import type { NoteRecord } from './note.entity.js';

/** Whether anonymous visitors can see the notes of a record, regardless of the caller's own role. */
function showsNotes({ record, container, ...noteable }: Noteable): boolean {
  const { confidential, visibility } = record as { confidential?: boolean; visibility?: string };
  if (confidential || (visibility !== undefined && visibility !== 'public')) return false;
  const asNobody = { ...container, access: 0, record: { ...container.record, access: 0 } } as Noteable['container'];
  return noteable.type.readable(ANONYMOUS, { ...noteable, record, container: asNobody });
}

const noteText = (action: GuardedText['action'], text: string): GuardedText => ({
  type: 'Note',
  action,
  title: '',
  text,
});

interface Said {
  readonly body: string;
  readonly internal?: boolean | undefined;
  readonly confidential?: boolean | undefined;
}

/** The publicly visible text of a new comment, including the command lines. */
export function textOfNewNote(
  ctx: SignedInContext,
  noteable: Noteable,
  { body, confidential, internal = confidential }: Said,
): GuardedText | null {
  // The title that a command gives is for everybody.
  const isInternal =
    internal === true &&
    noteablePolicy.create_internal_note(ctx.caller, noteable) &&
    !body.toLowerCase().includes('/title');
  return !isInternal && showsNotes(noteable) ? noteText('create', body) : null;
}

/** The publicly visible text of an edited comment, if the caller can edit it and the text changes. */
export function textOfEditedNote(
  ctx: SignedInContext,
  note: NoteRecord,
  { body }: { readonly body?: string | undefined },
): GuardedText | null {
  if (body === undefined || body === note.note || note.internal) return null;
  return notePolicy.admin_note(ctx.caller, note) && showsNotes(note.noteable) ? noteText('update', body) : null;
}

/** The same for a note identified by its id. */
export async function loadEditedNoteText(
  ctx: SignedInContext,
  noteable: Noteable,
  { note_id: id, body }: { readonly note_id: number; readonly body?: string | undefined },
): Promise<GuardedText | null> {
  return body === undefined ? null : textOfEditedNote(ctx, await findNote(ctx, noteable, id), { body });
}

import type { Context } from '../../core/context/context.js';
import type { Noteable } from '../noteables/noteable.js';
import { isSystem } from '../notes/note.filters.js';
import { onNotes } from '../noteables/on-notes.js';
import { visibleNotes } from '../notes/visible-notes.js';

/** Who commented on a record, and whom comments name, of those that the caller may read: ids of users. */
export const participantsByNotes =
  <R>(noteableOf: (record: R) => Noteable) =>
  (ctx: Context, record: R) => {
    const visible = visibleNotes(ctx, noteableOf(record));
    const authors = onNotes
      .selectFrom('notes as n')
      .select('n.author_id as user_id')
      .where(visible)
      .where(onNotes.not(isSystem));
    const named = onNotes
      .selectFrom('notes as n')
      .innerJoin('note_mentions as m', 'm.note_id', 'n.id')
      .select('m.user_id')
      .where(visible);
    return authors.union(named);
  };

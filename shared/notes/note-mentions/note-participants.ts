import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { Noteable } from '../noteables/noteable.js';
import { visibleNotes } from '../notes/note.finder.js';

/** Who commented on a record, and whom comments name, of those that the caller may read: ids of users. */
export const participantsByNotes =
  <R>(noteableOf: (record: R) => Noteable) =>
  (ctx: Context, record: R): Fragment => {
    const visible = visibleNotes(ctx, noteableOf(record));
    return sql`
      select n.author_id from notes n where ${visible} and not n.system
      union select m.user_id from notes n join note_mentions m on m.note_id = n.id where ${visible}`;
  };

import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';

/** An emoji that somebody gave to a note. */
export const NoteAwardEmoji = defineEntity({
  name: 'NoteAwardEmoji',
  tableName: 'note_award_emojis',
  properties: {
    id: id(),
    project_id: reference().nullable(),
    /** Of a note of an epic, in place of a project. */
    namespace_id: reference().nullable(),
    note_id: reference(),
    user_id: reference(),
    /** Without colons: `thumbsup`. */
    name: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});

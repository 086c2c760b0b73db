import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import { Note } from '../notes/note.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** An emoji that somebody gave to a note. */
export const NoteAwardEmoji = defineEntity({
  name: 'NoteAwardEmoji',
  tableName: 'note_award_emojis',
  properties: {
    id: id(),
    project_id: reference().nullable(),
    /** Of a note of an epic, in place of a project. */
    namespace_id: reference().nullable(),
    note_id: relation(Note),
    user_id: relation(User),
    /** Without colons: `thumbsup`. */
    name: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});

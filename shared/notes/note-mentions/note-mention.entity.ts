import { defineEntity, reference, relation } from '../../core/database/entity.js';
import { Note } from '../notes/note.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** A user whom a comment mentions. */
export const NoteMention = defineEntity({
  name: 'NoteMention',
  tableName: 'note_mentions',
  properties: {
    project_id: reference().nullable(),
    note_id: relation(Note).primary(),
    user_id: relation(User).primary(),
    namespace_id: reference().nullable(),
  },
});

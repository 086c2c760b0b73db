import { defineEntity, reference } from '../../core/database/entity.js';

/** A user whom a comment mentions. */
export const NoteMention = defineEntity({
  name: 'NoteMention',
  tableName: 'note_mentions',
  properties: {
    project_id: reference().nullable(),
    note_id: reference().primary(),
    user_id: reference().primary(),
    namespace_id: reference().nullable(),
  },
});

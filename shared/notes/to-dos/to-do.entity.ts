import { defineEntity, id, p, reference, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** Something that a user wants to come back to: an issue or a merge request. */
export const ToDo = defineEntity({
  name: 'ToDo',
  tableName: 'todos',
  properties: {
    id: id(),
    project_id: reference(),
    user_id: reference(),
    issue_id: reference().nullable(),
    merge_request_id: reference().nullable(),
    state: p.string().$type<'pending' | 'done'>(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type ToDo = InferEntity<typeof ToDo>;

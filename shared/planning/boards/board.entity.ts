import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A view of the issues of a project, or of a group's projects, in lists side by side. */
export const Board = defineEntity({
  name: 'Board',
  tableName: 'boards',
  properties: {
    id: id(),
    /** Where it belongs: exactly one of the two. */
    project_id: reference().nullable(),
    namespace_id: reference().nullable(),
    name: p.string(),
    hide_backlog_list: p.boolean(),
    hide_closed_list: p.boolean(),
    milestone_id: reference().nullable(),
    assignee_id: reference().nullable(),
    weight: p.integer().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Board = InferEntity<typeof Board>;

/** One list of a board: of the issues with a label, of a user, or of a milestone. */
export const BoardList = defineEntity({
  name: 'BoardList',
  tableName: 'board_lists',
  properties: {
    id: id(),
    board_id: reference(),
    /** `label`, `assignee` or `milestone`. */
    list_type: p.string(),
    label_id: reference().nullable(),
    assignee_id: reference().nullable(),
    milestone_id: reference().nullable(),
    position: p.integer(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type BoardList = InferEntity<typeof BoardList>;

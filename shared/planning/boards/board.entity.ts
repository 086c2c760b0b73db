import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Milestone } from '../milestones/milestone.entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { Label } from '../labels/label.entity.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';

/** A view of the issues of a project, or of a group's projects, in lists side by side. */
export const Board = defineEntity({
  name: 'Board',
  tableName: 'boards',
  properties: {
    id: id(),
    /** The owner: exactly one of the two is set. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    name: p.string(),
    hide_backlog_list: p.boolean(),
    hide_closed_list: p.boolean(),
    milestone_id: relation(Milestone).nullable(),
    assignee_id: relation(User).nullable(),
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
    board_id: relation(Board),
    /** `label`, `assignee` or `milestone`. */
    list_type: p.string(),
    label_id: relation(Label).nullable(),
    assignee_id: relation(User).nullable(),
    milestone_id: relation(Milestone).nullable(),
    position: p.integer(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type BoardList = InferEntity<typeof BoardList>;

/** A label that the issues of a board have. */
export const BoardLabel = defineEntity({
  name: 'BoardLabel',
  tableName: 'board_labels',
  properties: {
    board_id: relation(Board).primary(),
    label_id: relation(Label).primary(),
  },
});

/** A board with the project or group that it belongs to. */
export interface BoardRecord extends Board {
  container: Container;
  assignee: UserSummary | null;
}

/** A list with the record that it is for; `position` counts the existing lists from 0. */
export interface BoardListRecord extends BoardList {
  label: Label | null;
  assignee: UserSummary | null;
}

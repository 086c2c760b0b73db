import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { MergeRequest } from '../../merge-requests/merge-requests/merge-request.entity.js';
import { Epic } from '../../planning/epics/epic.entity.js';
import { Issue } from '../../planning/issues/issue.entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { Note } from '../notes/note.entity.js';

/** Why something is on a list, as the public API names it. */
export type ToDoAction =
  | 'assigned'
  | 'mentioned'
  | 'build_failed'
  | 'marked'
  | 'approval_required'
  | 'unmergeable'
  | 'directly_addressed'
  | 'review_requested';

/** An item of a user's to-do list: an issue, merge request, epic or commit that needs their attention. */
export const ToDo = defineEntity({
  name: 'ToDo',
  tableName: 'todos',
  properties: {
    id: id(),
    project_id: relation(Project).nullable(),
    /** The group of an epic; what lies in a project has none. */
    namespace_id: relation(Namespace).nullable(),
    user_id: relation(User),
    /** Who caused it; the user's own id for what nobody did to them. */
    author_id: relation(User),
    action: p.string().$type<ToDoAction>(),
    issue_id: relation(Issue).nullable(),
    merge_request_id: relation(MergeRequest).nullable(),
    epic_id: relation(Epic).nullable(),
    /** The full id of a commit of the project. */
    commit_sha: p.string().nullable(),
    /** The comment that caused it. */
    note_id: relation(Note).nullable(),
    state: p.string().$type<'pending' | 'done'>(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type ToDo = InferEntity<typeof ToDo>;

/** What is joined of a to-do's project, or its group. */
export interface ToDoContainer {
  readonly id: number;
  readonly name: string;
  readonly full_name: string;
  readonly path: string;
  readonly full_path: string;
}

/** A to-do with who caused it, where it lies and the text of the comment that caused it. */
export interface ToDoRecord extends ToDo {
  author: UserSummary;
  project: ToDoContainer | null;
  group: (ToDoContainer & { parent_id?: number | null; avatar?: string | null }) | null;
  note: { id: number; note: string } | null;
  /** Number and title of an issue, merge request or epic; commits have none. */
  target_iid: number | null;
  target_title: string | null;
}

import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { MergeRequest } from '../../merge-requests/merge-requests/merge-request.entity.js';
import { Issue } from '../../planning/issues/issue.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** A to-do item of a user: an issue or a merge request. */
export const ToDo = defineEntity({
  name: 'ToDo',
  tableName: 'todos',
  properties: {
    id: id(),
    project_id: relation(Project),
    user_id: relation(User),
    issue_id: relation(Issue).nullable(),
    merge_request_id: relation(MergeRequest).nullable(),
    state: p.string().$type<'pending' | 'done'>(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type ToDo = InferEntity<typeof ToDo>;
